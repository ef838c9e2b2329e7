// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/keystone.ts';
import { Deployment } from '@forge/kube/builtin.ts';
import type { Client } from '@forge/kube/client.ts';
import type { Condition } from '@forge/kube/object.ts';
import { demo } from './demo.ts';
import type { Progress } from './progress.ts';

/** Shows what the demo's parts are doing until the Keystone is ready for the generation the user asked for. */
export async function untilReady(kube: Client, progress: Progress, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const servers = Promise.all(['mariadb', 'memcached'].map((name) => showDeployment(kube, name, progress, either)));
  try {
    await showKeystone(kube, progress, signal);
  } finally {
    done.abort();
    await servers;
  }
}

async function showDeployment(kube: Client, name: string, progress: Progress, signal: AbortSignal): Promise<void> {
  const fieldSelector = `metadata.name=${name}`;
  for await (const { object } of whileOpen(signal, () =>
    kube.watch(Deployment, { namespace: demo.namespace, fieldSelector, signal }),
  )) {
    if ((object.status?.readyReplicas ?? 0) > 0) progress.done(name, 'is ready');
    else progress.doing(name, 'is starting');
  }
}

async function showKeystone(kube: Client, progress: Progress, signal: AbortSignal): Promise<void> {
  const fieldSelector = `metadata.name=${demo.keystone}`;
  for await (const { object } of whileOpen(signal, () =>
    kube.watch(Keystone, { namespace: demo.namespace, fieldSelector, signal }),
  )) {
    const conditions = object.status?.conditions ?? [];
    const ready = conditions.find(({ type }) => type === 'Ready');
    if (ready?.status === 'True' && ready.observedGeneration === object.metadata.generation) {
      progress.done('keystone', 'is ready');
      return;
    }
    for (const condition of conditions) {
      if (condition.type !== 'Ready') show(condition, progress);
    }
  }
  signal.throwIfAborted();
}

function show({ type, status, message, reason }: Condition, progress: Progress): void {
  const text = message === '' ? reason : message;
  if (status === 'True') progress.done(type, text);
  else progress.doing(type, text);
}

/** Watches again when the connection ends, until the signal aborts. */
async function* whileOpen<T>(signal: AbortSignal, watch: () => AsyncIterable<T>): AsyncIterable<T> {
  const aborted = () => signal.aborted;
  while (!aborted()) {
    try {
      yield* watch();
    } catch (error) {
      if (!aborted()) throw error;
    }
  }
}
