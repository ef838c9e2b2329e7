// SPDX-License-Identifier: Apache-2.0
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { hasElapsed } from '../environment/has-elapsed.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import { readsLabelled, type Reads } from '../steps/reads.ts';
import type { StepContext } from '../steps/step-context.ts';
import type { Services, StepResource } from '../steps/step.ts';
import { jobKeyOf } from './job-key.ts';
import { areStuck, podProblem } from './pod-problem.ts';

/** A run that failed, as the resource's status remembers it: the Job itself may have been removed by its TTL. */
export interface FailedRun {
  readonly key: string;
  readonly problem?: string;
}

/**
 * The state of a Job; `problem` explains why its pods make no progress, `pods` are those that were read for it. A Job that is
 * `retrying` runs again after a failure, which is reported until the retry succeeds.
 */
export interface JobProgress {
  readonly state: JobState | 'retrying';
  readonly problem?: string | undefined;
  readonly pods?: readonly Pod[] | undefined;
  /** What status is to remember as `failed`, when it failed or is retried. */
  readonly failed?: FailedRun | undefined;
}

type JobState = 'running' | 'complete' | 'failed';

/** The options of `runJob`. */
interface RunJobOptions<T extends StepResource, S extends Services> {
  /** The pods of the Job, read live: `jobPods`. */
  pods: Reads<T, S, Pod>;
  /** The key of the last completed run, from the resource's status: the Job itself may have been removed by its TTL. */
  completed?: string | undefined;
  /** The last run that failed, from the resource's status. */
  failed?: FailedRun | undefined;
  /** Values to redact. */
  secrets?: readonly SecretValue[];
}

type JobContext<T extends StepResource, S extends Services> = Pick<
  StepContext<T, S, unknown>,
  'clock' | 'seenFor' | 'get' | 'create' | 'remove' | 'fetchAll'
>;

/** The pods are read once a Job has had no ready pod for this long. */
const podCheckDelay = seconds(10);
/** A failed Job of the same key is retried after this time. */
const retryDelay = minutes(5);
/** As much of a problem as a condition shows. */
const maxProblem = 256;

/** The live read of a Job's pods, for the `reads` of the step that runs it. */
export function jobPods<T extends StepResource, S extends Services>(name: (object: T) => string): Reads<T, S, Pod> {
  return readsLabelled(Pod, (object: T) => ({ 'batch.kubernetes.io/job-name': name(object) }), { live: true });
}

/**
 * Runs a Job to completion, once per key.
 *
 * Guarantees: a completed key is not run again; a Job that makes progress is never deleted; one of another key that has
 * finished, or whose pods are stuck, is replaced by the new one. Jobs are never updated, only replaced.
 */
export async function runJob<T extends StepResource, S extends Services>(
  job: Job,
  options: RunJobOptions<T, S>,
  context: JobContext<T, S>,
): Promise<JobProgress> {
  const key = jobKeyOf(job);
  const progress = await advance(job, options, context);
  const before = options.failed?.key === key ? options.failed : undefined;
  const { state } = progress;
  if (state === 'complete' || (state === 'running' && before === undefined)) return progress;
  const problem = progress.problem ?? before?.problem;
  const failed = { key, ...(problem !== undefined && { problem: problem.slice(0, maxProblem) }) };
  return { ...progress, state: state === 'failed' ? state : 'retrying', problem, failed };
}

async function advance<T extends StepResource, S extends Services>(
  job: Job,
  options: RunJobOptions<T, S>,
  context: JobContext<T, S>,
): Promise<JobProgress & { readonly state: JobState }> {
  const { clock, get, create, remove, fetchAll } = context;
  const live = get(Job, job.metadata.name);
  const isSame = live !== undefined && jobKeyOf(live) === jobKeyOf(job);
  const isTerminating = live?.metadata.deletionTimestamp !== undefined;
  if (options.completed === jobKeyOf(job) && (!isSame || isTerminating)) return { state: 'complete' };
  if (live === undefined) {
    await create(job);
    return { state: 'running' };
  }

  const state = stateOf(live);
  if (state === 'complete' && isSame) return { state };
  const pods = mayHaveProblem(live, state, clock.now()) ? await fetchAll(options.pods) : undefined;
  const problem = pods && podProblem(pods, options.secrets);
  const isReplaced = isSame
    ? isRetryDue(live, state, context)
    : state !== 'running' || (pods !== undefined && areStuck(pods));
  if (!isReplaced || isTerminating) return { state, problem, pods };
  // Only in this exact state: a pod may have started in the meantime.
  await remove(Job, live);
  await create(job);
  return { state: 'running' };
}

/** How far a Job has come; one that is terminating is awaited. */
export function stateOf({ metadata, status }: Job): JobState {
  if (metadata.deletionTimestamp !== undefined) return 'running';
  const isTrue = (type: string) => status?.conditions?.some((each) => each.type === type && each.status === 'True');
  if (isTrue('Failed') === true) return 'failed';
  return isTrue('Complete') === true ? 'complete' : 'running';
}

/** Whether the pods are worth a request: the Job or an attempt failed, or there has been no ready pod for a while. */
function mayHaveProblem({ metadata, status }: Job, state: JobState, now: number): boolean {
  if (state !== 'running') return state === 'failed';
  const since = Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '');
  return ((status?.ready ?? 0) === 0 || (status?.failed ?? 0) > 0) && hasElapsed(since, podCheckDelay, now);
}

/**
 * Whether a Job failed long enough ago to be retried. This process measures the time itself, because clocks differ. If the Job
 * had already failed when it was first seen, the recorded time of the failure counts as well: it survives a restart.
 */
function isRetryDue(
  { metadata: { uid }, status }: Job,
  state: JobState,
  { clock, seenFor }: Pick<JobContext<StepResource, Services>, 'clock' | 'seenFor'>,
): boolean {
  const known = seenFor(`job ${uid}`, true);
  const failedFor = seenFor(`failed ${uid}`, state === 'failed');
  if (state !== 'failed') return false;
  const sawItFail = known > failedFor;
  if (failedFor >= retryDelay || sawItFail) return failedFor >= retryDelay;
  const failed = status?.conditions?.find(({ type }) => type === 'Failed');
  return clock.now() - Date.parse(failed?.lastTransitionTime ?? '') >= retryDelay;
}
