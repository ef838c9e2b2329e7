// SPDX-License-Identifier: Apache-2.0
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import { readsLabelled, type Reads } from '../steps/reads.ts';
import type { StepContext } from '../steps/step-context.ts';
import type { Services, StepResource } from '../steps/step.ts';
import { minutes, seconds } from '../time/duration.ts';
import { jobKeyOf } from './job-key.ts';
import { areStuck, podProblem } from './pod-problem.ts';

/** How a Job stands; `trouble` says what its pods suffer from. */
export interface JobProgress {
  readonly state: 'running' | 'complete' | 'failed';
  readonly problem?: string | undefined;
}

/** What running a Job takes. */
interface RunJobOptions<T extends StepResource, S extends Services> {
  /** The pods of the Job, read live: `jobPods`. */
  pods: Reads<T, S, Pod>;
  /** The key of the last run that completed, as the resource's status remembers it: its Job may be gone by its TTL. */
  completed?: string | undefined;
  /** Never to be shown. */
  secrets?: readonly SecretValue[];
}

type JobContext<T extends StepResource, S extends Services> = Pick<
  StepContext<T, S, unknown>,
  'clock' | 'get' | 'create' | 'remove' | 'fetchAll'
>;

/** Pods are asked for once a Job has not worked for this long. */
const podCheckDelay = seconds(10);
/** A failed Job of the same key gets another try after this time: what it failed at may be over. */
const retryDelay = minutes(5);

/** The live read of a Job's pods, for `reads` of the step that runs it. */
export function jobPods<T extends StepResource, S extends Services>(name: (object: T) => string): Reads<T, S, Pod> {
  return readsLabelled(Pod, (object: T) => ({ 'batch.kubernetes.io/job-name': name(object) }), { live: true });
}

/**
 * Runs a Job to its end, once per key.
 *
 * Guarantees: a key that completed is not run again; a Job that works is never ended; one of another key that finished, or
 * that cannot work as its pods show, makes room for the new one. Jobs are never changed, only replaced.
 */
export async function runJob<T extends StepResource, S extends Services>(
  job: Job,
  options: RunJobOptions<T, S>,
  context: JobContext<T, S>,
): Promise<JobProgress> {
  const { clock, get, create, remove, fetchAll } = context;
  const live = get(Job, job.metadata.name);
  const isSame = live !== undefined && jobKeyOf(live) === jobKeyOf(job);
  if (!isSame && options.completed === jobKeyOf(job)) return { state: 'complete' };
  if (live === undefined) {
    await create(job);
    return { state: 'running' };
  }

  const state = stateOf(live);
  if (state === 'complete' && isSame) return { state };
  const pods = isIdle(live, state, clock.now()) ? await fetchAll(options.pods) : undefined;
  const trouble = pods && podProblem(pods, options.secrets);
  const isReplaced = isSame
    ? state === 'failed' && clock.now() - failedAt(live) >= retryDelay
    : state !== 'running' || (pods !== undefined && areStuck(pods));
  if (!isReplaced || live.metadata.deletionTimestamp !== undefined) return { state, problem: trouble };
  // In this very state: a pod may have begun to work meanwhile.
  await remove(Job, live);
  await create(job);
  return { state: 'running' };
}

function stateOf({ metadata, status }: Job): JobProgress['state'] {
  if (metadata.deletionTimestamp !== undefined) return 'running';
  const isTrue = (type: string) => status?.conditions?.some((each) => each.type === type && each.status === 'True');
  if (isTrue('Failed') === true) return 'failed';
  return isTrue('Complete') === true ? 'complete' : 'running';
}

/** Whether a look at the pods is worth a request: the Job failed, or has had nothing that works for a while. */
function isIdle({ metadata, status }: Job, state: JobProgress['state'], now: number): boolean {
  if (state !== 'running') return state === 'failed';
  const since = Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '');
  return (status?.ready ?? 0) === 0 && now - since >= podCheckDelay;
}

function failedAt({ status }: Job): number {
  const failed = status?.conditions?.find(({ type }) => type === 'Failed');
  return Date.parse(failed?.lastTransitionTime ?? '');
}
