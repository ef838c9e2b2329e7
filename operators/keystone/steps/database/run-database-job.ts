// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { jobPods, runJob, stateOf, type JobProgress } from '@forge/runtime/jobs/run-job.ts';
import type { Counter, Histogram } from '@forge/runtime/metrics/metrics.ts';
import { databaseEvents } from '../../contract/database.ts';
import { Keystone } from '../../keystone.ts';
import { lastJobAnnotation, namesOf } from '../../names.ts';
import type { Services } from '../../step.ts';
import type { DatabaseContext } from './database-context.ts';

/** The Jobs that work on the database: the suffix of their names. */
export type DatabaseJobName = keyof typeof databaseJobPods;

/** The pods of each of these Jobs. */
export const databaseJobPods = {
  'db-sync': jobPods<Keystone, Services>((keystone) => namesOf(keystone).dbSync),
  'schema-check': jobPods<Keystone, Services>((keystone) => namesOf(keystone).schemaCheck),
  'db-expand': jobPods<Keystone, Services>((keystone) => namesOf(keystone).dbExpand),
  'db-migrate': jobPods<Keystone, Services>((keystone) => namesOf(keystone).dbMigrate),
  'db-contract': jobPods<Keystone, Services>((keystone) => namesOf(keystone).dbContract),
};

const total: Counter<'keystone' | 'namespace' | 'result'> = {
  type: 'counter',
  name: 'keystone_operator_db_sync_total',
  help: 'Jobs on the database that have ended.',
  labels: ['keystone', 'namespace', 'result'],
};

const duration: Histogram<'keystone' | 'namespace'> = {
  type: 'histogram',
  name: 'keystone_operator_db_sync_duration_seconds',
  help: 'Time from the creation of a Job on the database to its end.',
  labels: ['keystone', 'namespace'],
  buckets: [1, 5, 10, 30, 60, 120, 300, 600],
};

/** Runs a Job on the database, once per key, and measures each one that ends. */
export async function runDatabaseJob(
  job: Job,
  suffix: DatabaseJobName,
  context: DatabaseContext,
): Promise<JobProgress> {
  const live = context.get(Job, job.metadata.name);
  const state = live && stateOf(live);
  if (live !== undefined && (state === 'complete' || state === 'failed')) await measure(live, state, suffix, context);
  return await runJob(job, { pods: databaseJobPods[suffix], secrets: context.needs.dbConnection.secrets }, context);
}

/** Measures a Job that has ended, once: the Keystone remembers its uid. */
async function measure(
  job: Job,
  state: 'complete' | 'failed',
  suffix: DatabaseJobName,
  { object, patch, metrics, event, signal }: DatabaseContext,
): Promise<void> {
  const { name, namespace = '', annotations = {} } = object.metadata;
  const { uid = '', creationTimestamp = '' } = job.metadata;
  const annotation = lastJobAnnotation(suffix);
  if (annotations[annotation] === uid) return;
  try {
    await patch(Keystone, object, { metadata: { annotations: { [annotation]: uid } } });
  } catch (error) {
    signal.throwIfAborted();
    const text = error instanceof Error ? error.message : String(error);
    await event(databaseEvents.metricDeferred({ suffix, error: text }));
    return;
  }
  const labels = { keystone: name, namespace };
  metrics.count(total, { ...labels, result: state === 'complete' ? 'succeeded' : 'failed' });
  const ended = Date.parse(endOf(job) ?? creationTimestamp);
  metrics.observe(duration, labels, Math.max(0, (ended - Date.parse(creationTimestamp)) / 1000));
}

function endOf({ status }: Job): string | undefined {
  const ended = status?.conditions?.find(
    ({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  return ended?.lastTransitionTime;
}
