// SPDX-License-Identifier: Apache-2.0
import { isOfEarlierOwner } from '@forge/runtime/objects/owner-reference.ts';
import { failed, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { databaseEvents, databaseReady } from '../../conditions/database.ts';
import { dbSyncJob, schemaCheckJob } from '../../objects/jobs/database-jobs.ts';
import { failureOf } from '../../objects/jobs/job.ts';
import { imageOf } from '../../objects/pod.ts';
import { jobInputs, type DatabaseContext, type DatabaseOutcome } from './database-context.ts';
import { isRelease } from './release-decision.ts';
import { runDatabaseJob } from './run-database-job.ts';
import { phaseJobs } from './stop-phases.ts';

/** Brings the schema to the release of the image, then verifies it. */
export async function syncSchema(context: DatabaseContext): Promise<DatabaseOutcome> {
  const { object: keystone } = context;
  if (isEarlierMigrating(context)) return waiting(databaseReady.syncing());
  const syncJob = dbSyncJob(keystone, jobInputs(context));
  const sync = await runDatabaseJob(syncJob, 'db-sync', context);
  if (sync.state === 'running') return waiting(databaseReady.syncing(undefined, sync.problem));
  if (sync.failed !== undefined) {
    const error = failureOf(keystone, syncJob);
    const status = { failedDatabaseJob: sync.failed };
    if (sync.state === 'retrying') return waiting(databaseReady.syncRetried({ error }, sync.problem), { status });
    const event = databaseEvents.syncFailed({ error });
    return failed(databaseReady.syncFailed({ error }, sync.problem), undefined, { event, status });
  }

  const checkJob = schemaCheckJob(keystone, jobInputs(context));
  const check = await runDatabaseJob(checkJob, 'schema-check', context);
  if (check.state === 'running') return waiting(databaseReady.checking(undefined, check.problem));
  if (check.failed !== undefined) {
    const error = failureOf(keystone, checkJob);
    const status = { failedDatabaseJob: check.failed };
    if (check.state === 'retrying') return waiting(databaseReady.checkRetried({ error }, check.problem), { status });
    const event = databaseEvents.drifted({ error });
    return failed(databaseReady.drifted({ error }, check.problem), undefined, { event, status });
  }

  const { tag } = keystone.spec.image;
  // A first tag that names no release is not remembered: every later tag would be refused.
  const installedRelease = isRelease(tag) ? tag : keystone.status?.installedRelease;
  return ready(databaseReady.synced(), {
    output: { image: imageOf(keystone) },
    status: { installedRelease, failedDatabaseJob: undefined },
    event: databaseEvents.databaseSynced(),
  });
}

/** Whether a phase of an upgrade by an earlier Keystone of the name is still there: its pods may be changing the schema. */
function isEarlierMigrating(context: DatabaseContext): boolean {
  return phaseJobs(context).some(({ job }) => isOfEarlierOwner(job, context.object));
}
