// SPDX-License-Identifier: Apache-2.0
import type { JobSpec, JobStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '../../objects/pod-state.ts';

/** The finalizer that keeps a Job's pod until it is counted. */
export const jobTracking = 'batch.kubernetes.io/job-tracking';

/** The counts of a Job's finished pods. */
export interface PodCounts {
  succeeded: number;
  failed: number;
  /** Uids of finished pods that are not in the two counts yet. */
  uncounted: { succeeded: string[]; failed: string[] };
}

/**
 * Counts finished pods, each exactly once, however often it is called and wherever the controller crashes in between. A
 * pod goes through three saved states: its uid is listed as uncounted while the pod has the tracking finalizer; the
 * finalizer is removed once the list is saved; the uid moves into the count once the finalizer is gone.
 */
export function countPods(
  status: JobStatus | undefined,
  pods: readonly Pod[],
  isFailed: (pod: Pod) => boolean,
): PodCounts {
  const held = pods.filter(({ metadata }) => metadata.finalizers?.includes(jobTracking));
  const heldUids = new Set(held.map(({ metadata }) => metadata.uid));
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {};
  const listed = new Set([...succeeded, ...failed]);
  const finished = (outcome: (pod: Pod) => boolean): string[] =>
    held.flatMap((pod) => {
      const { uid } = pod.metadata;
      return uid !== undefined && !listed.has(uid) && outcome(pod) ? [uid] : [];
    });
  const isHeld = (uid: string): boolean => heldUids.has(uid);
  const kept = { succeeded: succeeded.filter(isHeld), failed: failed.filter(isHeld) };
  return {
    succeeded: (status?.succeeded ?? 0) + succeeded.length - kept.succeeded.length,
    failed: (status?.failed ?? 0) + failed.length - kept.failed.length,
    uncounted: {
      succeeded: [...kept.succeeded, ...finished((pod) => pod.status?.phase === 'Succeeded')],
      failed: [...kept.failed, ...finished(isFailed)],
    },
  };
}

/** Whether a pod counts as failed; terminating pods do, unless the Job replaces pods only once they have failed. */
export function failureRule(spec: JobSpec): (pod: Pod) => boolean {
  const replacesTerminating = spec.podReplacementPolicy !== 'Failed';
  return (pod) => pod.status?.phase === 'Failed' || (replacesTerminating && isTerminating(pod));
}
