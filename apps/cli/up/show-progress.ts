// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { isDesired, readinessOf } from '@forge/runtime/conditions/readiness.ts';
import { conditionCatalogOf } from '../../../operators/operators.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Demo, OwnResource } from './demo.ts';
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
export async function previousConditions(kube: Client, { namespace, resources }: Demo): Promise<readonly Condition[]> {
  const found = await Promise.all(resources.map(({ kind, name }) => kube.find(kind, { namespace, name })));
  return found.flatMap((each) => each?.status?.conditions ?? []);
}

/**
 * Shows progress until the first resource of the demo is ready for its current generation and every Deployment and
 * StatefulSet has a ready pod of this run. State of the previous run is not shown.
 */
export async function showProgressUntilReady(
  kube: Client,
  demo: Demo,
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
  const resources = demo.resources.map(({ kind, name }) => ({ kind, name, objects: new Map<string, OwnResource>() }));

  function show(): void {
    const workloads = [...deployments.values(), ...sets.values()];
    const starting = workloads.filter((each) => !isLive(each, [...pods.values()], earlier.since));
    for (const { metadata } of workloads) {
      if (metadata.name === demo.keystone) continue; // its conditions are more detailed
      if (starting.some((each) => each.metadata.name === metadata.name)) progress.doing(metadata.name, 'is starting');
      else progress.done(metadata.name, 'is ready');
    }
    // Parents come last.
    for (const { kind, name, objects } of resources.toReversed()) showConditions(kind.kind, objects.get(name));
    const [{ kind, name }] = demo.resources;
    const first = resources[0]?.objects.get(name);
    if (first === undefined || !isReady(kind.kind, first) || starting.length > 0) return;
    progress.done(name, 'is ready');
    done.abort();
  }

  function showConditions(kind: string, resource: OwnResource | undefined): void {
    for (const condition of resource?.status?.conditions ?? []) {
      const isOld = earlier.conditions.some((each) => isDeepStrictEqual(each, condition));
      if (condition.type !== 'Ready' && !isOld) showCondition(kind, condition, progress);
    }
  }

  await Promise.all([
    follow(kube, { kind: Pod, namespace, objects: pods }, show, either),
    follow(kube, { kind: Deployment, namespace, objects: deployments }, show, either),
    follow(kube, { kind: StatefulSet, namespace, objects: sets }, show, either),
    ...resources.map(({ kind, objects }) => follow(kube, { kind, namespace, objects }, show, either)),
  ]);
  signal.throwIfAborted();
}

function isReady(kind: string, { metadata, status }: OwnResource): boolean {
  const ready = readinessOf(conditionCatalogOf(kind), status?.conditions);
  return ready.status === 'True' && ready.observedGeneration === metadata.generation;
}

function showCondition(kind: string, condition: Condition, progress: Progress): void {
  const { type, message, reason } = condition;
  const text = message === '' ? reason : message;
  if (isDesired(conditionCatalogOf(kind), condition)) progress.done(type, text);
  else progress.doing(type, text);
}
