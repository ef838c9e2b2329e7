// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import type { Controller, ReconcileContext } from '../controller/controller.ts';
import { manager, type Manager, type ManagerOptions } from '../controller/manager.ts';
import type { Duration } from '../environment/duration.ts';
import { keyOf } from '../objects/object-key.ts';

/** A manager with one controller, of ConfigMaps by default. */
export interface ConfigMapOperator extends AsyncDisposable {
  cluster: TestCluster;
  /** The keys of what was reconciled, in order. */
  reconciled: string[];
  /** Starts the manager and runs everything that does not wait for a timer; `work` is what the controller does. */
  run(
    options: Partial<Controller>,
    work?: (key: string, context: ReconcileContext) => Promise<Duration | undefined>,
    more?: Partial<ManagerOptions>,
  ): Promise<void>;
  healthy(): boolean | undefined;
  stop(): Promise<void>;
}

/** Prepares an operator on an empty cluster. */
export async function configMapOperator(): Promise<ConfigMapOperator> {
  const cluster = await testCluster({ controllers: false });
  const reconciled: string[] = [];
  let running: Manager | undefined;

  return {
    cluster,
    reconciled,

    async run(options, work = () => Promise.resolve(undefined), more = {}) {
      running = manager({ ...cluster, client: cluster.connection.client, ...more });
      running.add({
        name: 'test-controller',
        for: ConfigMap,
        ...options,
        reconcile: async (ref, context) => {
          reconciled.push(keyOf(ref));
          return await work(keyOf(ref), context);
        },
      });
      await running.start();
      await cluster.clock.settle();
    },

    healthy: () => running?.healthy(),

    async stop() {
      const stopping = running?.stop();
      running = undefined;
      await stopping;
    },

    async [Symbol.asyncDispose]() {
      await running?.stop();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** An empty ConfigMap. */
export const configMap = (name: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});
