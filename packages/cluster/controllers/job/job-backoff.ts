// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/time/duration.ts';

const first = seconds(10);
const longest = seconds(600);

/**
 * How long a Job still waits before its next pod: 10 s after a first failure, doubling with each further one up to ten
 * minutes, from nothing again after a success. Read off the pods, so that a restart of the controller forgets nothing.
 */
export function backoffOf(pods: readonly Pod[], isFailed: (pod: Pod) => boolean, now: number): Duration {
  const lastSuccess = Math.max(0, ...pods.filter((pod) => pod.status?.phase === 'Succeeded').map(finishedAt));
  const failures = pods
    .filter(isFailed)
    .map(finishedAt)
    .filter((time) => time > lastSuccess);
  if (failures.length === 0) return seconds(0);
  const wait = Math.min(longest, first * 2 ** (failures.length - 1));
  return milliseconds(Math.max(0, Math.max(...failures) + wait - now));
}

/** When the pod's last container ended; of a pod that never ran, when it was asked to go or created. */
function finishedAt({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.finishedAt ?? []);
  const times = ends.length > 0 ? ends : [metadata.deletionTimestamp ?? metadata.creationTimestamp ?? ''];
  return Math.max(...times.map((time) => Date.parse(time)));
}
