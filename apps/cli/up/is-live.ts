// SPDX-License-Identifier: Apache-2.0
import type { Deployment, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';

/** Whether a workload has a ready pod started at or after `since`; the status of older pods may be outdated. */
export function isLive({ metadata, spec }: Deployment | StatefulSet, pods: readonly Pod[], since: number): boolean {
  if (spec?.replicas === 0) return true;
  const own = pods.filter(
    (pod) => pod.metadata.namespace === metadata.namespace && matchesLabelSelector(spec?.selector, pod.metadata.labels),
  );
  return own.some((pod) => isReady(pod) && !isTerminating(pod) && wasStarted(pod, since));
}

function wasStarted({ status }: Pod, since: number): boolean {
  const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ''));
  // Kubernetes times have a resolution of one second.
  return times.every((time) => time >= Math.floor(since / 1000) * 1000);
}
