// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { credentialPolling, failedRead, refusedRequest, storeNotReady } from './rechecks.ts';

/** What is reported about the database account. */
export const dbCredentialsReady = conditionCases('DBCredentialsReady', {
  brownfield: {
    status: 'True',
    reason: 'BrownfieldUserSuppliedCredential',
    message:
      'brownfield database: the user supplies the DB credential Secret out-of-band; no ExternalSecret is projected',
  },
  storeNotReady,
  refused: {
    ...refusedRequest,
    reason: 'ExternalSecretError',
    message: 'ensuring DB credential ExternalSecret: {error}',
  },
  notRead: { ...failedRead, reason: 'ExternalSecretError', message: 'checking DB credential ExternalSecret: {error}' },
  waiting: {
    ...credentialPolling,
    reason: 'WaitingForDBCredentialSecret',
    message: 'DB credential ExternalSecret is not yet Ready',
  },
  ready: { status: 'True', reason: 'DBCredentialsReady', message: 'DB credential ExternalSecret is Ready' },
});

/** What is reported about the admin password. */
export const adminPasswordReady = conditionCases('AdminPasswordReady', {
  brownfield: {
    status: 'True',
    reason: 'BrownfieldUserSuppliedCredential',
    message:
      'brownfield database: the user supplies the admin password Secret out-of-band; no ExternalSecret is projected',
  },
  storeNotReady,
  refused: {
    ...refusedRequest,
    reason: 'ExternalSecretError',
    message: 'ensuring admin password ExternalSecret: {error}',
  },
  notRead: { ...failedRead, reason: 'ExternalSecretError', message: 'checking admin password ExternalSecret: {error}' },
  waiting: {
    ...credentialPolling,
    reason: 'WaitingForAdminPasswordSecret',
    message: 'admin password ExternalSecret is not yet Ready',
  },
  ready: { status: 'True', reason: 'AdminPasswordReady', message: 'admin password ExternalSecret is Ready' },
});
