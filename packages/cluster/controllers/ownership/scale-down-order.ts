// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { isReady, readySince } from '../../objects/pod-state.ts';

const phases = ['Pending', 'Unknown', 'Running'];

/** The criteria in order; pods with lower values are deleted first. */
const criteria: ((pod: Pod) => number)[] = [
  (pod) => (pod.spec?.nodeName === undefined ? 0 : 1),
  (pod) => phases.indexOf(pod.status?.phase ?? 'Pending'),
  (pod) => (isReady(pod) ? 1 : 0),
  (pod) => Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0),
  (pod) => -(readySince(pod) ?? 0),
  (pod) => -(pod.status?.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0),
  (pod) => -Date.parse(pod.metadata.creationTimestamp ?? ''),
];

/** The pods in the order in which a controller deletes them: least useful first, then the newest. */
export function scaleDownOrder(pods: readonly Pod[]): Pod[] {
  return pods.toSorted((a, b) => {
    for (const rank of criteria) {
      const difference = rank(a) - rank(b);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return a.metadata.name < b.metadata.name ? -1 : 1;
  });
}
