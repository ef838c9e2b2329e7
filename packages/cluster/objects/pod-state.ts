// SPDX-License-Identifier: Apache-2.0
import type { PodCondition } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { conditionOf } from './with-condition.ts';

/** Whether the pod has succeeded or failed and will not run again. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Whether the pod is terminating: deleted, and not finished. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isTerminal(pod);
}

/** Whether the pod counts as a replica: neither finished nor terminating. */
export function isActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isTerminal(pod);
}

/** Whether the pod is ready. */
export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** When the pod became ready, in milliseconds since the epoch; undefined when it is not ready. */
export function readySince(pod: Pod): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  return ready.lastTransitionTime === undefined ? 0 : Date.parse(ready.lastTransitionTime);
}

/**
 * The time until a ready pod is available, after `minReadySeconds`: 0 or less when it is; undefined when it is not
 * ready.
 */
export function untilAvailable(pod: Pod, minReadySeconds: number, now: number): Duration | undefined {
  const since = readySince(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? milliseconds(0) : milliseconds(since + seconds(minReadySeconds) - now);
}

/** The time until the next ready pod becomes available; undefined when there is none. */
export function untilNextAvailable(pods: readonly Pod[], minReadySeconds: number, now: number): Duration | undefined {
  const waits = pods
    .map((pod) => untilAvailable(pod, minReadySeconds, now))
    .filter((wait) => wait !== undefined)
    .filter((wait) => wait > 0);
  return waits.length > 0 ? milliseconds(Math.min(...waits)) : undefined;
}

function readyCondition(pod: Pod): PodCondition | undefined {
  return conditionOf(pod.status?.conditions, 'Ready');
}
