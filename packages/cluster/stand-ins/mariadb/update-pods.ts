// SPDX-License-Identifier: Apache-2.0
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import type { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { isReady } from '../../objects/pod-state.ts';

/** Status, reason and message of a condition. */
export type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

/** The condition Updated for these pods; undefined while the StatefulSet has no revision. */
export function updatedVerdict(mariadb: MariaDB, set: StatefulSet, pods: readonly Pod[]): Verdict | undefined {
  const revision = set.status?.updateRevision;
  if (revision === undefined) return undefined;
  const updated = pods.filter((pod) => isOfRevision(pod, revision)).length;
  if (updated >= (mariadb.spec.replicas ?? 1)) return { status: 'True', reason: 'Updated', message: 'Updated' };
  if (updated > 0) return { status: 'False', reason: 'Updating', message: 'Updating' };
  return { status: 'False', reason: 'PendingUpdate', message: 'Pending update' };
}

/**
 * The pod that the operator deletes next for an update, since the StatefulSet does not replace pods by itself: from the
 * last replica to the primary, each only while all are ready.
 */
export function nextStalePod(mariadb: MariaDB, set: StatefulSet, pods: readonly Pod[]): Pod | undefined {
  const { replicas = 1, updateStrategy } = mariadb.spec;
  const revision = set.status?.updateRevision;
  if ((updateStrategy?.type ?? 'ReplicasFirstPrimaryLast') !== 'ReplicasFirstPrimaryLast') return undefined;
  if (revision === undefined || pods.length !== replicas) return undefined;
  if (!pods.every((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined)) return undefined;
  const { currentPrimary } = mariadb.status ?? {};
  const rank = ({ metadata }: Pod) => (metadata.name === currentPrimary ? -1 : ordinalOf(metadata.name));
  return pods.filter((pod) => !isOfRevision(pod, revision)).toSorted((a, b) => rank(b) - rank(a))[0];
}

function isOfRevision({ metadata }: Pod, revision: string): boolean {
  return metadata.labels?.['controller-revision-hash'] === revision;
}

function ordinalOf(podName: string): number {
  return Number(podName.slice(podName.lastIndexOf('-') + 1));
}
