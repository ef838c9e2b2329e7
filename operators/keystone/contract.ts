// SPDX-License-Identifier: Apache-2.0
import type { Contract } from '@forge/runtime/contract/contract.ts';
import { conditionRows, eventRows, rowsOf } from '@forge/runtime/contract/rows.ts';
import { seconds } from '@forge/runtime/time/duration.ts';

const secretPolling = { status: 'False', recheck: seconds(15) } as const;
const databaseJob = { status: 'False', recheck: seconds(30), suffix: 'optional' } as const;
const failedJob = { status: 'False', recheck: 'backoff', suffix: 'optional' } as const;
const probe = { status: 'False', recheck: seconds(10) } as const;

/** What the gate, and whatever else every pod stands on, says. */
export const secretsReady = conditionRows('SecretsReady', {
  storeNotReady: {
    ...secretPolling,
    reason: 'SecretStoreNotReady',
    message: 'ClusterSecretStore "{store}" is not ready; upstream secret backend unreachable',
  },
  noDatabaseCredentials: {
    ...secretPolling,
    reason: 'WaitingForDBCredentials',
    message: 'Waiting for ESO to sync database credentials from OpenBao',
  },
  incompleteDatabaseCredentials: {
    ...secretPolling,
    reason: 'WaitingForDBCredentials',
    message: 'Database credentials Secret exists but is missing expected keys',
  },
  noAdminCredentials: {
    ...secretPolling,
    reason: 'WaitingForAdminCredentials',
    message: 'Waiting for ESO to sync admin credentials from OpenBao',
  },
  incompleteAdminCredentials: {
    ...secretPolling,
    reason: 'WaitingForAdminCredentials',
    message: 'Admin credentials Secret exists but is missing expected keys',
  },
  invalidDigestKey: {
    status: 'False',
    reason: 'InvalidDigestKey',
    message: 'Secret {name} holds no digest key: delete it to have a new one created',
  },
  configError: { status: 'False', reason: 'ConfigError', message: '{error}', recheck: 'backoff' },
  available: { status: 'True', reason: 'SecretsAvailable', message: '' },
});

/** What is said of the keys that sign tokens. */
export const fernetKeysReady = conditionRows('FernetKeysReady', {
  generating: { ...secretPolling, reason: 'GeneratingKeys', message: 'Initial Fernet keys have been generated' },
  available: {
    status: 'True',
    reason: 'FernetKeysAvailable',
    message: 'Fernet keys Secret exists and rotation CronJob is configured',
  },
});

/** What is said of the keys that encrypt the credential table. */
export const credentialKeysReady = conditionRows('CredentialKeysReady', {
  generating: { ...secretPolling, reason: 'GeneratingKeys', message: 'Initial credential keys have been generated' },
  available: {
    status: 'True',
    reason: 'CredentialKeysAvailable',
    message: 'Credential keys Secret exists and rotation CronJob is configured',
  },
});

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

/** What is said of the API pods. */
export const deploymentReady = conditionRows('DeploymentReady', {
  waiting: { ...probe, reason: 'WaitingForDeployment', message: 'Keystone API deployment is not yet available' },
  available: { status: 'True', reason: 'DeploymentReady', message: 'Keystone API deployment is available' },
});

/** What probes of the API find. */
export const apiReady = conditionRows('KeystoneAPIReady', {
  noEndpoint: { ...probe, reason: 'EndpointNotReady', message: 'endpoint not yet configured' },
  notResolvable: { ...probe, reason: 'EndpointNotReady', message: 'endpoint not resolvable' },
  timedOut: { ...probe, reason: 'HealthCheckTimeout', message: 'health check timed out' },
  notConnected: { ...probe, reason: 'ConnectionFailed', message: 'connection failed: {error}' },
  failed: { ...probe, reason: 'HealthCheckFailed', message: 'health check failed: {error}' },
  unhealthy: { ...probe, reason: 'APIUnhealthy', message: 'Keystone API returned HTTP {status}' },
  degraded: {
    ...probe,
    reason: 'APIDegraded',
    message: 'Keystone API at {endpoint} answers but cannot authenticate: {what}',
  },
  healthy: {
    status: 'True',
    reason: 'APIHealthy',
    message: 'Keystone API is responding at {endpoint}',
    recheck: seconds(60),
  },
});

/** What is said of the first administrator and the catalog. */
export const bootstrapReady = conditionRows('BootstrapReady', {
  running: {
    status: 'False',
    reason: 'BootstrapInProgress',
    message: 'Keystone bootstrap job is running',
    recheck: seconds(60),
    suffix: 'optional',
  },
  failed: { ...failedJob, reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}' },
  complete: { status: 'True', reason: 'BootstrapComplete', message: 'Keystone bootstrap completed successfully' },
});

/** What happens to a Keystone. */
export const events = eventRows({
  fernetKeysGenerated: {
    type: 'Normal',
    reason: 'FernetKeysGenerated',
    message: 'Initial Fernet encryption keys have been generated',
  },
  credentialKeysGenerated: {
    type: 'Normal',
    reason: 'CredentialKeysGenerated',
    message: 'Initial credential encryption keys have been generated',
  },
  databaseSynced: { type: 'Normal', reason: 'DatabaseSynced', message: 'Database schema is up to date' },
  syncFailed: { type: 'Warning', reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
  drifted: { type: 'Warning', reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
  bootstrapComplete: {
    type: 'Normal',
    reason: 'BootstrapComplete',
    message: 'Keystone bootstrap completed successfully',
  },
  bootstrapFailed: { type: 'Warning', reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}' },
});

/** All that the operator says about a Keystone. */
export const contract: Contract = {
  conditions: rowsOf([
    secretsReady,
    fernetKeysReady,
    credentialKeysReady,
    databaseReady,
    deploymentReady,
    apiReady,
    bootstrapReady,
  ]),
  events: rowsOf([events]),
};
