// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { existingBinaries } from '@forge/apiserver/conformance/reference/binaries.ts';
import { startControlPlane } from '@forge/apiserver/conformance/reference/control-plane.ts';
import { binaryFolders } from '@forge/apiserver/conformance/reference/with-reference-cluster.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { createKeystone, isReady } from './create-keystone.ts';
import { instantControllers } from './instant-controllers.ts';
import { concurrently } from './measure.ts';

/** The controllers of kube-controller-manager that the API needs; without the others, workloads are ready at once. */
const controllers = ['garbage-collector-controller', 'namespace-controller', 'serviceaccount-controller'];
/** Parallel creates, as by a user's tools. */
const width = 8;

/** A real kube-apiserver on which the dependencies of a Keystone are ready at once. */
export interface Kubernetes extends AsyncDisposable {
  api: Client;
  kubeconfig: string;
  /** Creates Keystones in a new namespace; resolves when all are Ready, with the elapsed milliseconds. */
  createReady: (namespace: string, count: number) => Promise<number>;
}

/** The folder of the Kubernetes binaries on this machine; undefined when there are none. */
export function kubernetesBinaries(): Promise<string | undefined> {
  return existingBinaries(binaryFolders(process.env, homedir()), () => {});
}

/** Starts the cluster from these binaries. */
export async function startKubernetes(binaries: string): Promise<Kubernetes> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const managerFlags = { controllers: controllers.join(',') };
  // A server cannot advertise a loopback address.
  const serverFlags = { 'advertise-address': '192.0.2.1' };
  const plane = await startControlPlane({ binaries, folder, serverFlags, managerFlags });
  stack.defer(() => plane.stop());
  const transport = httpsTransport(plane.connection);
  stack.defer(() => transport.close());
  const api = client(transport);
  await api.create(CustomResourceDefinition, crdOf(Keystone));
  await untilWatchable(api);
  const log = logger({ clock, level: 'error', write: (entry) => console.error(entry) });
  const running = manager({ client: api, clock, random, log });
  for (const controller of instantControllers()) running.add(controller);
  await running.start();
  stack.defer(() => running.stop());
  const owned = stack.move();
  return {
    api,
    kubeconfig: plane.kubeconfig,
    async createReady(namespace, count) {
      await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const start = performance.now();
      const create = (each: number) => createKeystone(api, { namespace, name: `identity-${each}` });
      await Promise.all([untilReady(api, namespace, count), concurrently(count, width, create)]);
      return performance.now() - start;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Waits until the new kind can be watched: kube-apiserver answers 404 first, then 429. */
async function untilWatchable(api: Client): Promise<void> {
  for (const end = Date.now() + 60_000; ;) {
    try {
      for await (const _ of api.watch(Keystone, { timeoutSeconds: 1 })) break;
      return;
    } catch (error) {
      if (!isApiError(error, 'NotFound', 'TooManyRequests') || Date.now() > end) throw error;
      await setTimeout(100);
    }
  }
}

/** Resolves when this many Keystones of a namespace are Ready. */
async function untilReady(api: Client, namespace: string, count: number): Promise<void> {
  const ready = new Set<string>();
  for await (const { object } of api.watch(Keystone, { namespace })) {
    if (isReady(object)) ready.add(object.metadata.name);
    if (ready.size === count) return;
  }
  throw new Error(`The watch ended with ${ready.size} of ${count} Keystones Ready`);
}
