// SPDX-License-Identifier: Apache-2.0
import { conditionRows, eventRows } from '@forge/runtime/contract/rows.ts';
import { databaseJob, failedJob } from './rechecks.ts';

/** What is said of the schema. */
export const databaseReady = conditionRows('DatabaseReady', {
  syncing: { ...databaseJob, reason: 'DBSyncInProgress', message: 'db_sync job is running' },
  syncFailed: { ...failedJob, reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
  checking: { ...databaseJob, reason: 'SchemaCheckInProgress', message: 'schema-check job is running' },
  drifted: { ...failedJob, reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
  synced: {
    status: 'True',
    reason: 'DatabaseSynced',
    message: 'Database schema is up to date (revision verified)',
  },
});

/** Events about the schema. */
export const databaseEvents = eventRows({
  databaseSynced: { type: 'Normal', reason: 'DatabaseSynced', message: 'Database schema is up to date' },
  syncFailed: { type: 'Warning', reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
  drifted: { type: 'Warning', reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
});
