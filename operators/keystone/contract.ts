// SPDX-License-Identifier: Apache-2.0
import type { ConditionRow, Contract } from '@forge/runtime/contract/contract.ts';
import { seconds } from '@forge/runtime/duration.ts';

const secretPolling = seconds(15);
const databaseWait = seconds(30);
const healthRetry = seconds(10);

const secrets = { type: 'SecretsReady', status: 'False', recheck: secretPolling } as const;
const database = { type: 'DatabaseReady', status: 'False' } as const;
const api = { type: 'KeystoneAPIReady', status: 'False', recheck: healthRetry } as const;
const bootstrap = { type: 'BootstrapReady', status: 'False' } as const;

const keysConditions = (noun: 'Fernet' | 'Credential', adjective: string): ConditionRow[] => [
  {
    type: `${noun}KeysReady`,
    status: 'False',
    reason: 'GeneratingKeys',
    message: `Initial ${adjective} keys have been generated`,
    recheck: secretPolling,
  },
  {
    type: `${noun}KeysReady`,
    status: 'True',
    reason: `${noun}KeysAvailable`,
    message: `${noun} keys Secret exists and rotation CronJob is configured`,
  },
];

/** All that the operator says about a Keystone. */
export const contract: Contract = {
  conditions: [
    {
      ...secrets,
      reason: 'SecretStoreNotReady',
      message: 'ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable',
    },
    {
      ...secrets,
      reason: 'WaitingForDBCredentials',
      message: 'Waiting for ESO to sync database credentials from OpenBao',
    },
    {
      ...secrets,
      reason: 'WaitingForDBCredentials',
      message: 'Database credentials Secret exists but is missing expected keys',
    },
    {
      ...secrets,
      reason: 'WaitingForAdminCredentials',
      message: 'Waiting for ESO to sync admin credentials from OpenBao',
    },
    {
      ...secrets,
      reason: 'WaitingForAdminCredentials',
      message: 'Admin credentials Secret exists but is missing expected keys',
    },
    {
      type: 'SecretsReady',
      status: 'False',
      reason: 'InvalidDigestKey',
      message: 'Secret {name} holds no digest key: delete it to have a new one created',
    },
    { ...secrets, reason: 'ConfigError', message: '{error}', recheck: 'backoff' },
    { type: 'SecretsReady', status: 'True', reason: 'SecretsAvailable', message: '' },

    ...keysConditions('Fernet', 'Fernet'),
    ...keysConditions('Credential', 'credential'),

    { ...database, reason: 'DBSyncInProgress', message: 'db_sync job is running', recheck: databaseWait },
    { ...database, reason: 'DBSyncFailed', message: 'db_sync job failed: {error}', recheck: 'backoff' },
    { ...database, reason: 'SchemaCheckInProgress', message: 'schema-check job is running', recheck: databaseWait },
    { ...database, reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}', recheck: 'backoff' },
    {
      type: 'DatabaseReady',
      status: 'True',
      reason: 'DatabaseSynced',
      message: 'Database schema is up to date (revision verified)',
    },

    {
      type: 'DeploymentReady',
      status: 'False',
      reason: 'WaitingForDeployment',
      message: 'Keystone API deployment is not yet available',
      recheck: seconds(10),
    },
    {
      type: 'DeploymentReady',
      status: 'True',
      reason: 'DeploymentReady',
      message: 'Keystone API deployment is available',
    },

    { ...api, reason: 'EndpointNotReady', message: 'endpoint not yet configured' },
    { ...api, reason: 'EndpointNotReady', message: 'endpoint not resolvable' },
    { ...api, reason: 'HealthCheckTimeout', message: 'health check timed out' },
    { ...api, reason: 'ConnectionFailed', message: 'connection failed: {error}' },
    { ...api, reason: 'HealthCheckFailed', message: 'health check failed: {error}' },
    { ...api, reason: 'APIUnhealthy', message: 'Keystone API returned HTTP {status}' },
    { ...api, reason: 'APIDegraded', message: 'Keystone API at {endpoint} answers but cannot authenticate: {what}' },
    {
      type: 'KeystoneAPIReady',
      status: 'True',
      reason: 'APIHealthy',
      message: 'Keystone API is responding at {endpoint}',
      recheck: seconds(60),
    },

    {
      ...bootstrap,
      reason: 'BootstrapInProgress',
      message: 'Keystone bootstrap job is running',
      recheck: seconds(60),
    },
    { ...bootstrap, reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}', recheck: 'backoff' },
    {
      type: 'BootstrapReady',
      status: 'True',
      reason: 'BootstrapComplete',
      message: 'Keystone bootstrap completed successfully',
    },
  ],

  events: [
    {
      type: 'Normal',
      reason: 'FernetKeysGenerated',
      message: 'Initial Fernet encryption keys have been generated',
    },
    {
      type: 'Normal',
      reason: 'CredentialKeysGenerated',
      message: 'Initial credential encryption keys have been generated',
    },
    { type: 'Normal', reason: 'DatabaseSynced', message: 'Database schema is up to date' },
    { type: 'Warning', reason: 'DBSyncFailed', message: 'db_sync job failed: {error}' },
    { type: 'Warning', reason: 'SchemaDriftDetected', message: 'schema-check job failed: {error}' },
    { type: 'Normal', reason: 'BootstrapComplete', message: 'Keystone bootstrap completed successfully' },
    { type: 'Warning', reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}' },
  ],
};
