// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { databaseJob, failedJob } from './rechecks.ts';
import { refusedCases, upgradeCases } from './upgrade.ts';

const provisioning = { status: 'False', recheck: seconds(30) } as const;

/** What is reported about the database and its schema. */
export const databaseReady = conditionCases('DatabaseReady', {
  clusterNotReady: {
    ...provisioning,
    reason: 'ClusterNotReady',
    message: 'MariaDB cluster "{cluster}" is not ready',
  },
  databaseNotReady: {
    ...provisioning,
    reason: 'WaitingForDatabase',
    message: 'MariaDB Database CR is not ready',
  },
  accountNotReady: {
    ...provisioning,
    reason: 'WaitingForDatabase',
    message: 'MariaDB User or Grant CR is not ready',
  },
  terminating: {
    ...provisioning,
    reason: 'WaitingForDatabase',
    message: 'MariaDB {kind} {name} is being deleted; it is made anew once it is gone',
  },
  immutable: {
    status: 'False',
    reason: 'DatabaseImmutable',
    message:
      'spec.database.{field} cannot change from "{from}" to "{to}": mariadb-operator does not move databases; set it back',
  },
  keysNotReady: {
    status: 'False',
    recheck: seconds(15),
    reason: 'WaitingForCredentialKeys',
    message: 'db_sync waits for the keys in Secret {secret}',
  },
  syncing: { ...databaseJob, reason: 'DBSyncInProgress', message: 'db_sync job is running' },
  syncFailed: { ...failedJob, reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
  syncRetried: { ...databaseJob, reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
  checking: { ...databaseJob, reason: 'SchemaCheckInProgress', message: 'schema-check job is running' },
  drifted: { ...failedJob, reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
  checkRetried: { ...databaseJob, reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
  synced: {
    status: 'True',
    reason: 'DatabaseSynced',
    message: 'Database schema is up to date (revision verified)',
  },
  ahead: {
    status: 'True',
    reason: 'DatabaseSynced',
    message: 'Database schema is ahead of {from} (expanded for {target}, upgrade aborted)',
  },
  ...refusedCases,
  ...upgradeCases,
});

/** Events about the schema. */
export const databaseEvents = eventCases({
  databaseSynced: { type: 'Normal', reason: 'DatabaseSynced', message: 'Database schema is up to date' },
  syncFailed: { type: 'Warning', reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
  drifted: { type: 'Warning', reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
  metricDeferred: {
    type: 'Warning',
    reason: 'DBSyncMetricEmissionDeferred',
    message:
      'Patching last-observed {suffix} Job UID failed; db_sync metric emission deferred to the next reconcile: {error}',
  },
});
