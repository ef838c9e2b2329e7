// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/builtin.ts';
import { parseRelease } from '@forge/openstack/release.ts';
import { seconds } from '@forge/runtime/duration.ts';
import { failed, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { step } from '../keystone.ts';
import { dbSyncJob, schemaCheckJob } from '../objects/jobs.ts';
import { config } from './config.ts';
import { dbConnection } from './db-connection-secret.ts';
import { failureOf, runJob } from './run-job.ts';

const recheck = seconds(30);

/** Brings the schema to the release of the image, then verifies it. */
export const database = step({
  name: 'Database',
  condition: 'DatabaseReady',
  needs: { config, dbConnection },
  owns: [owned(Job, ['create', 'remove'])],
  writes: ['installedRelease'],
  async run({ object: keystone, needs, ...jobs }) {
    const sync = dbSyncJob(keystone, needs.config.configMap);
    switch (await runJob(sync, jobs)) {
      case 'running':
        return waiting('DBSyncInProgress', 'db_sync job is running', recheck);
      case 'failed':
        return failedJob('DBSyncFailed', `db_sync job failed: ${failureOf(keystone, sync)}`);
      case 'complete':
    }

    const check = schemaCheckJob(keystone, needs.config.configMap);
    switch (await runJob(check, jobs)) {
      case 'running':
        return waiting('SchemaCheckInProgress', 'schema-check job is running', recheck);
      case 'failed':
        return failedJob('SchemaDriftDetected', `schema-check job failed: ${failureOf(keystone, check)}`);
      case 'complete':
    }

    return ready('DatabaseSynced', 'Database schema is up to date (revision verified)', {
      status: { installedRelease: releaseOf(keystone.spec.image.tag, keystone.status?.installedRelease) },
      event: { type: 'Normal', reason: 'DatabaseSynced', message: 'Database schema is up to date' },
    });
  },
});

function failedJob(reason: 'DBSyncFailed' | 'SchemaDriftDetected', message: string) {
  return failed(reason, message, undefined, { event: { type: 'Warning', reason, message } });
}

/** A first tag that names no release is not remembered: every later tag would be refused. */
function releaseOf(tag: string, installed: string | undefined): string | undefined {
  try {
    parseRelease(tag);
    return tag;
  } catch {
    return installed;
  }
}
