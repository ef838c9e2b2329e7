// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { jobPods, runJob, type JobProgress } from '@forge/runtime/jobs/run-job.ts';
import type { Keystone } from '../../api/keystone.ts';
import { namesOf } from '../../api/names.ts';
import type { Services } from '../../clients/services.ts';
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

/** Runs a Job on the database, once per key. */
export async function runDatabaseJob(
  job: Job,
  suffix: DatabaseJobName,
  context: DatabaseContext,
): Promise<JobProgress> {
  const failed = context.object.status?.failedDatabaseJob;
  const { secrets } = context.needs.dbConnection;
  return await runJob(job, { pods: databaseJobPods[suffix], failed, secrets }, context);
}
