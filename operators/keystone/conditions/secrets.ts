// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { secretPolling } from './rechecks.ts';

/** What is reported about the credentials and whatever else every pod depends on. */
export const secretsReady = conditionCases('SecretsReady', {
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
  noUpstreamCredentials: {
    ...secretPolling,
    reason: 'WaitingForDBCredentials',
    message: 'Upstream database credentials Secret {namespace}/{secret} missing or missing key "{key}"',
  },
  invalidDigestKey: {
    status: 'False',
    reason: 'InvalidDigestKey',
    message: 'Secret {name} holds no digest key: delete it to have a new one created',
  },
  configError: { status: 'False', reason: 'ConfigError', message: '{error}', recheck: seconds(30), counts: 'error' },
  available: { status: 'True', reason: 'SecretsAvailable', message: '' },
});
