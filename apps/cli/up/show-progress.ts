// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { Keystone } from '@forge/keystone/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import type { Progress } from '../terminal/progress.ts';
import { demo } from './demo.ts';
import { follow } from './follow.ts';
import { isLive } from './is-live.ts';

/** State from before this start. */
export interface PreviousRun {
  /** When this run started, in milliseconds. */
  since: number;
  /** The conditions of the previous run. */
  conditions: readonly Condition[];
}

/** The conditions of the previous run; none when this is the first. */
export async function previousConditions(kube: Client): Promise<readonly Condition[]> {
  const keystone = await kube.find(Keystone, { namespace: demo.namespace, name: demo.keystone });
  return keystone?.status?.conditions ?? [];
}

/**
 * Shows progress until the Keystone is ready for its current generation and every Deployment and StatefulSet has a ready
 * pod of this run. State of the previous run is not shown.
 */
export async function showProgressUntilReady(
  kube: Client,
  progress: Progress,
  earlier: PreviousRun,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = demo;
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const pods = new Map<string, Pod>();
  const deployments = new Map<string, Deployment>();
  const sets = new Map<string, StatefulSet>();
  const keystones = new Map<string, Keystone>();

  function show(): void {
    const workloads = [...deployments.values(), ...sets.values()];
    const starting = workloads.filter((each) => !isLive(each, [...pods.values()], earlier.since));
    for (const { metadata } of workloads) {
      if (metadata.name === demo.keystone) continue; // its conditions are more detailed
      if (starting.some((each) => each.metadata.name === metadata.name)) progress.doing(metadata.name, 'is starting');
      else progress.done(metadata.name, 'is ready');
    }
    const keystone = keystones.get(demo.keystone);
    for (const condition of keystone?.status?.conditions ?? []) {
      const isOld = earlier.conditions.some((each) => isDeepStrictEqual(each, condition));
      if (condition.type !== 'Ready' && !isOld) showCondition(condition, progress);
    }
    if (keystone === undefined || !isReady(keystone) || starting.length > 0) return;
    progress.done('keystone', 'is ready');
    done.abort();
  }

  await Promise.all([
    follow(kube, { kind: Pod, namespace, objects: pods }, show, either),
    follow(kube, { kind: Deployment, namespace, objects: deployments }, show, either),
    follow(kube, { kind: StatefulSet, namespace, objects: sets }, show, either),
    follow(kube, { kind: Keystone, namespace, objects: keystones }, show, either),
  ]);
  signal.throwIfAborted();
}

function isReady({ metadata, status }: Keystone): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation;
}

function showCondition({ type, status, message, reason }: Condition, progress: Progress): void {
  const text = message === '' ? reason : message;
  if (status === 'True') progress.done(type, text);
  else progress.doing(type, text);
}
