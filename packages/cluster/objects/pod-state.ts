// SPDX-License-Identifier: Apache-2.0
import type { PodCondition } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/time/duration.ts';
import { conditionOf } from './with-condition.ts';

/** Whether the pod's last word is spoken: it succeeded or failed and never runs again. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Whether the pod is asked to go, and not yet finished. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isTerminal(pod);
}

/** Whether the pod counts as a replica: neither finished nor asked to go. */
export function isActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isTerminal(pod);
}

/** Whether the node says that the pod can serve. */
export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** Since when the pod is ready, in milliseconds since the epoch; undefined when it is not. */
export function readySince(pod: Pod): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  return ready.lastTransitionTime === undefined ? 0 : Date.parse(ready.lastTransitionTime);
}

/** How long until a ready pod has been ready for `minReadySeconds`: 0 or less when it has; undefined when it is not ready. */
export function untilAvailable(pod: Pod, minReadySeconds: number, now: number): Duration | undefined {
  const since = readySince(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? milliseconds(0) : milliseconds(since + seconds(minReadySeconds) - now);
}

function readyCondition(pod: Pod): PodCondition | undefined {
  return conditionOf(pod.status?.conditions, 'Ready');
}
