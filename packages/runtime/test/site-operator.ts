// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import type { SharedCache } from '../cache/cache.ts';
import { manager, type Manager, type ManagerOptions } from '../controller/manager.ts';
import { stepController, type StepControllerOptions } from '../engine/step-controller.ts';
import type { DeletionStep } from '../steps/deletion-step.ts';
import type { Step } from '../steps/step.ts';
import { noServices, Site, type Services } from './site.ts';

/** Where the one Site of these tests lives. */
export const home = { namespace: 'default', name: 'home' };

/** An operator for Sites with the steps of a test, on a cluster of its own. */
export interface SiteOperator extends AsyncDisposable {
  cluster: TestCluster;
  /** The deletion pipeline of the next start. */
  deletion: DeletionStep<Site, Services>[];
  /** What else the next controller is made of. */
  controller: Partial<StepControllerOptions<Site, Services>>;
  /** What the next manager gets besides the cluster. */
  options: Partial<ManagerOptions>;
  /** Runs the steps, creates the Site and lets everything settle. */
  start(...steps: Step<Site, Services>[]): Promise<void>;
  /** Ends the operator if it runs, and runs another with these steps. */
  restart(...steps: Step<Site, Services>[]): Promise<void>;
  /** What the running operator has in its cache. */
  cache(): SharedCache;
  stop(): Promise<void>;
  site(): Promise<Site>;
  /** Changes the Site as a user would, and lets everything settle. */
  patch(spec: { [Field in keyof Site['spec']]: string | null }): Promise<void>;
  /** The Site's conditions as `ConfigReady True Applied`. */
  conditions(): Promise<string[]>;
  /** What the operator wrote since the last call, as `PUT sites/home/status`. */
  writes(): string[];
  /** The errors logged so far. */
  errors(): Error[];
}

/** Prepares a cluster that knows Sites. */
export async function siteOperator(): Promise<SiteOperator> {
  const cluster = await testCluster({ controllers: false });
  await cluster.client.create(CustomResourceDefinition, crdOf(Site));
  let running: Manager | undefined;

  const operator: SiteOperator = {
    cluster,
    deletion: [],
    controller: {},
    options: {},

    async start(...steps) {
      await operator.restart(...steps);
      const { apiVersion, kind } = Site;
      await cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: { text: 'hello' } });
      await cluster.clock.settle();
    },

    async restart(...steps) {
      await running?.stop();
      running = manager({ ...cluster, client: cluster.connection.client, ...operator.options });
      running.add(
        stepController({
          name: 'site-controller',
          for: Site,
          steps,
          deletion: operator.deletion,
          fieldManager: 'test',
          metricPrefix: 'site_operator',
          services: noServices,
          ...operator.controller,
        }),
      );
      await running.start();
      await cluster.clock.settle();
    },

    cache() {
      if (running === undefined) throw new Error('no operator runs: start one');
      return running.cache;
    },

    async stop() {
      await running?.stop();
    },

    async [Symbol.asyncDispose]() {
      await running?.stop();
      await cluster[Symbol.asyncDispose]();
    },

    site: () => cluster.client.get(Site, home),

    async patch(spec) {
      await cluster.client.patch(Site, home, 'merge', { spec });
      await cluster.clock.settle();
    },

    async conditions() {
      const { status } = await operator.site();
      return (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type} ${value} ${reason}`);
    },

    writes: () =>
      cluster.connection.requests
        .splice(0)
        .filter((request) => !/^(WATCH|GET)/.test(request))
        .map((request) => request.replace(/\/apis?\/.*namespaces\/default\//, '')),

    errors: () => cluster.logged.flatMap(({ fields }) => (fields['error'] instanceof Error ? [fields['error']] : [])),
  };
  return operator;
}
