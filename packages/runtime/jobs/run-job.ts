// SPDX-License-Identifier: Apache-2.0
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds, type Duration } from '../environment/duration.ts';
import { hasElapsed } from '../environment/has-elapsed.ts';
import { conditionOf } from '../objects/condition.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import { readsLabelled, type Reads } from '../steps/reads.ts';
import type { StepContext } from '../steps/step-context.ts';
import type { Services, StepResource } from '../steps/step.ts';
import { jobKeyOf } from './job-key.ts';
import { areStuck, byAge, podProblem } from './pod-problem.ts';

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
  /** What the container of a completed Job left in its termination message, if that is asked for and its pod still exists. */
  readonly output?: string | undefined;
  /** What status is to remember as `failed`, when it failed or is retried. */
  readonly failed?: FailedRun | undefined;
}

type JobState = 'running' | 'complete' | 'failed';

/** The options of `runJob`. */
interface RunJobOptions<T extends StepResource, S extends Services> {
  /** The live read of pods that the step declares: `jobPods`. */
  pods: Reads<T, S, Pod>;
  /** The key of the last completed run, from the resource's status: the Job itself may have been removed by its TTL. */
  completed?: string | undefined;
  /** The last run that failed, from the resource's status. */
  failed?: FailedRun | undefined;
  /**
   * After which time a failed Job runs again under the same key. `never` needs `failed`: a Job that its TTL removed before any
   * pass saw its end is one that has not run. Default: five minutes.
   */
  retry?: Duration | 'never';
  /** Whether the termination message is read, until the key is `completed`: one request. Default: it is not. */
  output?: boolean;
  /** Values to redact. */
  secrets?: readonly SecretValue[];
}

type JobContext<T extends StepResource, S extends Services> = Pick<
  StepContext<T, S, unknown>,
  'clock' | 'seenFor' | 'get' | 'create' | 'remove' | 'fetchAll'
>;

/** The pods are read once a Job has had no ready pod for this long. */
const podCheckDelay = seconds(10);
/** A failed Job is run again after this time. */
export const defaultRetry = minutes(5);
/** The label that the Job controller gives to the pods of a Job. */
const jobNameLabel = 'batch.kubernetes.io/job-name';
/** As much of a problem as a condition shows. */
const maxProblem = 256;

/** The live read of the pods of a step's Jobs, for its `reads`; or of those of one Job, whose name follows from the resource. */
export function jobPods<T extends StepResource, S extends Services>(name?: (object: T) => string): Reads<T, S, Pod> {
  const labels = (object: T) => (name === undefined ? {} : { [jobNameLabel]: name(object) });
  return readsLabelled(Pod, labels, { live: true });
}

/**
 * Runs a Job to completion, once per key.
 *
 * Guarantees: a completed key is not run again, nor is a failed one that is never retried; a Job that makes progress is never
 * deleted; one of another key that has finished, or whose pods are stuck, is replaced by the new one. Jobs are never updated,
 * only replaced. A step may run several Jobs, and their names may come from status: each is known by its own name and key.
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
  const { clock, get, create, remove } = context;
  const live = get(Job, job.metadata.name);
  const key = jobKeyOf(job);
  const isSame = live !== undefined && jobKeyOf(live) === key;
  const isTerminating = live?.metadata.deletionTimestamp !== undefined;
  if (options.completed === key && (!isSame || isTerminating)) return { state: 'complete' };
  // Its pods were read when it failed.
  if (options.retry === 'never' && options.failed?.key === key) return { state: 'failed' };
  if (live === undefined) {
    await create(job);
    return { state: 'running' };
  }

  const state = stateOf(live);
  const readPods = () => context.fetchAll(options.pods, { labels: { [jobNameLabel]: job.metadata.name } });
  if (state === 'complete' && isSame) {
    const isRead = options.output === true && options.completed !== key;
    return isRead ? { state, output: outputOf(job, await readPods()) } : { state };
  }
  const pods = mayHaveProblem(live, state, clock.now()) ? await readPods() : undefined;
  const problem = problemOf(live, pods && podProblem(pods, options.secrets));
  const isReplaced = isSame
    ? isRetryDue(live, state, options.retry ?? defaultRetry, context)
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

/** Why the Job makes no progress: its deadline has ended it, or what its pods say. */
function problemOf({ spec, status }: Job, problem: string | undefined): string | undefined {
  const failed = status?.conditions?.find(({ type, status: value }) => type === 'Failed' && value === 'True');
  if (failed?.reason !== 'DeadlineExceeded') return problem;
  const text = `DeadlineExceeded: it was ended after ${spec?.activeDeadlineSeconds ?? 0} seconds`;
  return problem === undefined ? text : `${text}: ${problem}`;
}

/** The termination message of the Job's container, in the newest pod that has succeeded. */
function outputOf({ spec }: Job, pods: readonly Pod[]): string | undefined {
  const container = spec?.template.spec?.containers[0]?.name;
  const [newest] = pods.filter(({ status }) => status?.phase === 'Succeeded').toSorted(byAge);
  const ended = newest?.status?.containerStatuses?.find(({ name }) => name === container)?.state?.terminated;
  return ended?.message;
}

/**
 * Whether a Job failed long enough ago to be retried. This process measures the time itself, because clocks differ. If the Job
 * had already failed when it was first seen, the recorded time of the failure counts as well: it survives a restart.
 */
function isRetryDue(
  job: Job,
  state: JobState,
  retry: Duration | 'never',
  { clock, seenFor }: Pick<JobContext<StepResource, Services>, 'clock' | 'seenFor'>,
): boolean {
  if (retry === 'never') return false;
  const { uid } = job.metadata;
  const known = seenFor(`job ${uid}`, true);
  const failedFor = seenFor(`failed ${uid}`, state === 'failed');
  if (state !== 'failed') return false;
  const sawItFail = known > failedFor;
  if (failedFor >= retry || sawItFail) return failedFor >= retry;
  const failed = conditionOf(job, 'Failed');
  return clock.now() - Date.parse(failed?.lastTransitionTime ?? '') >= retry;
}
