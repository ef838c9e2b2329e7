// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/builtin.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import type { Keystone, Services } from '../keystone.ts';
import { jobKeyAnnotation } from '../names.ts';

/** How a Job stands. */
export type JobState = 'running' | 'complete' | 'failed';

/**
 * Runs a Job to its end, once per key: a finished Job of another key is replaced, a running one is left alone.
 * Jobs are never patched.
 */
export async function runJob(
  job: Job,
  { get, create, remove }: Pick<StepContext<Keystone, Services, unknown>, 'get' | 'create' | 'remove'>,
): Promise<JobState> {
  const live = get(Job, job.metadata.name);
  if (live === undefined) {
    await create(job);
    return 'running';
  }
  const state = stateOf(live);
  if (state === 'running' || keyOf(live) === keyOf(job)) return state;
  await remove(Job, job.metadata.name);
  await create(job);
  return 'running';
}

/** Why a Job failed, for a condition. */
export function failureOf(keystone: Keystone, job: Job): string {
  return `job has permanently failed: ${keystone.metadata.namespace}/${job.metadata.name}`;
}

/** The key for which a Job was made. */
export function keyOf(job: Job): string | undefined {
  return job.metadata.annotations?.[jobKeyAnnotation];
}

function stateOf({ metadata, status }: Job): JobState {
  if (metadata.deletionTimestamp !== undefined) return 'running';
  const isTrue = (type: string) => status?.conditions?.some((c) => c.type === type && c.status === 'True') === true;
  if (isTrue('Failed')) return 'failed';
  return isTrue('Complete') ? 'complete' : 'running';
}
