// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';

const first = seconds(10);
const longest = seconds(600);

/**
 * The remaining backoff before a Job's next pod: 10 s after the first failure, doubling up to ten minutes, reset by a
 * success. It is computed from the pods, so it survives a restart of the controller.
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

/** When the pod's last container terminated; for a pod that never ran, when it was deleted or created. */
function finishedAt({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.finishedAt ?? []);
  const times = ends.length > 0 ? ends : [metadata.deletionTimestamp ?? metadata.creationTimestamp ?? ''];
  return Math.max(...times.map((time) => Date.parse(time)));
}
