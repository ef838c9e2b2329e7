// SPDX-License-Identifier: Apache-2.0
import type { JobSpec, JobStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { PodCounts } from './pod-counts.ts';

/** The result of a Job: known before its last pods are deleted, and stored in a separate condition until then. */
export interface Verdict {
  type: 'FailureTarget' | 'SuccessCriteriaMet';
  reason: string;
  message: string;
}

const backoffLimitExceeded: Verdict = {
  type: 'FailureTarget',
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
};
const deadlineExceeded: Verdict = {
  type: 'FailureTarget',
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
};
const completionsReached: Verdict = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** The verdict saved by an earlier reconcile; it is final, whatever happens to the remaining pods. */
export function savedVerdict(status: JobStatus | undefined): Verdict | undefined {
  for (const type of ['FailureTarget', 'SuccessCriteriaMet'] as const) {
    const condition = status?.conditions?.find((other) => other.type === type && other.status === 'True');
    if (condition) return { type, reason: condition.reason ?? '', message: condition.message ?? '' };
  }
  return undefined;
}

/** The result of the Job, if known; `deadline` is the remaining time. */
export function findVerdict(
  spec: JobSpec,
  tally: PodCounts,
  active: readonly Pod[],
  deadline: Duration | undefined,
): Verdict | undefined {
  const succeeded = tally.succeeded + tally.uncounted.succeeded.length;
  const failed = tally.failed + tally.uncounted.failed.length;
  const limit = spec.backoffLimit ?? 6;
  const restarts = spec.template.spec?.restartPolicy === 'OnFailure' ? restartsOf(active) : 0;
  if (failed > limit || (restarts > 0 && restarts >= limit)) return backoffLimitExceeded;
  if (deadline !== undefined && deadline <= 0) return deadlineExceeded;
  // Without `completions`, the first success completes the work; the other pods may finish.
  const done = spec.completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= spec.completions;
  return done ? completionsReached : undefined;
}

/** How often containers were restarted in place. */
function restartsOf(pods: readonly Pod[]): number {
  return pods
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((total, { restartCount }) => total + restartCount, 0);
}
