// SPDX-License-Identifier: Apache-2.0
import type { JobCondition, JobSpec, JobStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { isActive, isReady, isTerminating } from '../../objects/pod-state.ts';
import { isTrue, withCondition } from '../../objects/with-condition.ts';
import { withoutZeros } from '../../objects/without-zeros.ts';
import { podsPerPass } from '../ownership/create-pods.ts';
import { scaleDownOrder } from '../ownership/scale-down-order.ts';
import { backoffOf } from './job-backoff.ts';
import { findVerdict, savedVerdict } from './job-verdict.ts';
import { failureRule, countPods, type PodCounts } from './pod-counts.ts';

/** The pods to create and delete for a Job. */
interface PodChanges {
  create: number;
  /** Pods of a finished Job: deleted, and counted as failed. */
  stop: Pod[];
  /** Surplus pods: deleted, and not counted. */
  remove: Pod[];
  recheck?: Duration;
}

/** The next changes for a Job; the status applies once the pods are changed. */
export interface JobPlan extends PodChanges {
  status: JobStatus;
}

/** Computes the pod changes and the status of an unfinished Job. */
export function planJob(spec: JobSpec, status: JobStatus | undefined, pods: readonly Pod[], clock: Clock): JobPlan {
  const time = timestamp(clock);
  const isFailed = failureRule(spec);
  const active = pods.filter(isActive);
  const terminating = pods.filter(isTerminating).length;
  const startTime = spec.suspend === true ? undefined : (status?.startTime ?? time);
  const deadline = untilDeadline(spec, startTime, clock.now());

  const saved = savedVerdict(status);
  const soFar = countPods(status, pods, isFailed);
  const verdict = saved ?? findVerdict(spec, soFar, active, deadline);
  // Pods that are still running when the verdict is found are stopped, and count as failed.
  const tally = verdict === undefined ? soFar : countPods(status, pods, (pod) => isFailed(pod) || isActive(pod));
  const changes = verdict === undefined ? podChanges(spec, tally, pods, clock.now()) : stopAll(active);
  const deleted = new Set([...changes.stop, ...changes.remove]);

  let conditions = suspension(status?.conditions, spec.suspend === true, time);
  if (verdict !== undefined && saved === undefined) {
    conditions = withCondition(conditions, condition(verdict.type, verdict, time));
  }
  const over = active.length + terminating + tally.uncounted.succeeded.length + tally.uncounted.failed.length === 0;
  const end = verdict?.type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed';
  if (verdict !== undefined && over) conditions = withCondition(conditions, condition(end, verdict, time));

  const recheck = changes.recheck ?? (verdict === undefined ? deadline : undefined);
  return {
    ...changes,
    status: {
      ...(conditions.length > 0 && { conditions }),
      ...(startTime !== undefined && { startTime }),
      ...(verdict !== undefined && over && end === 'Complete' && { completionTime: time }),
      ...withoutZeros({
        active: active.length + changes.create - deleted.size,
        succeeded: tally.succeeded,
        failed: tally.failed,
      }),
      ready: active.filter((pod) => isReady(pod) && !deleted.has(pod)).length,
      terminating: terminating + deleted.size,
      uncountedTerminatedPods: {
        ...(tally.uncounted.succeeded.length > 0 && { succeeded: tally.uncounted.succeeded }),
        ...(tally.uncounted.failed.length > 0 && { failed: tally.uncounted.failed }),
      },
    },
    ...(recheck !== undefined && { recheck: milliseconds(Math.min(recheck, deadline ?? recheck)) }),
  };
}

function stopAll(active: Pod[]): PodChanges {
  return { create: 0, stop: active, remove: [] };
}

function podChanges(spec: JobSpec, tally: PodCounts, pods: readonly Pod[], now: number): PodChanges {
  const active = pods.filter(isActive);
  const surplus = active.length - wantedPods(spec, tally, active.length);
  if (surplus > 0)
    return { create: 0, stop: [], remove: scaleDownOrder(active).slice(0, Math.min(surplus, podsPerPass)) };
  const ending = spec.podReplacementPolicy === 'Failed' ? pods.filter(isTerminating).length : 0;
  const missing = Math.min(podsPerPass, Math.max(0, -surplus - ending));
  const backoff = missing === 0 ? seconds(0) : backoffOf(pods, failureRule(spec), now);
  if (backoff > 0) return { create: 0, stop: [], remove: [], recheck: backoff };
  return { create: missing, stop: [], remove: [] };
}

function wantedPods(spec: JobSpec, tally: PodCounts, active: number): number {
  if (spec.suspend === true) return 0;
  const parallelism = spec.parallelism ?? 1;
  const succeeded = tally.succeeded + tally.uncounted.succeeded.length;
  if (spec.completions !== undefined) return Math.min(parallelism, spec.completions - succeeded);
  return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
}

function untilDeadline(spec: JobSpec, startTime: string | undefined, now: number): Duration | undefined {
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined) return undefined;
  return milliseconds(Date.parse(startTime) + seconds(spec.activeDeadlineSeconds) - now);
}

function suspension(conditions: readonly JobCondition[] = [], suspended: boolean, time: string): JobCondition[] {
  if (suspended === isTrue(conditions, 'Suspended')) return [...conditions];
  const text = suspended
    ? { reason: 'JobSuspended', message: 'Job suspended' }
    : { reason: 'JobResumed', message: 'Job resumed' };
  return withCondition(conditions, { ...condition('Suspended', text, time), status: suspended ? 'True' : 'False' });
}

function condition(type: string, { reason, message }: { reason: string; message: string }, time: string): JobCondition {
  return { type, status: 'True', reason, message, lastProbeTime: time, lastTransitionTime: time };
}
