// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { credentialPolling, refusedRequest } from './rechecks.ts';

/** What is reported about the entries of the service catalog. */
export const catalogReady = conditionCases('CatalogReady', {
  waitingForAdminCredential: {
    ...credentialPolling,
    reason: 'WaitingForAdminCredential',
    message: 'AdminCredentialReady is not True; catalog registration deferred',
  },
  serviceRefused: {
    ...refusedRequest,
    reason: 'ServiceError',
    message: 'create-or-update identity Service: {error}',
  },
  endpointRefused: {
    ...refusedRequest,
    reason: 'EndpointError',
    message: 'create-or-update identity Endpoint: {error}',
  },
  failed: {
    ...credentialPolling,
    reason: 'CatalogFailed',
    message: 'K-ORC reported a terminal error registering the identity {kind} "{name}": {error}',
  },
  stale: {
    ...credentialPolling,
    reason: 'CatalogStale',
    message:
      'identity Service "{name}" is that of an earlier Keystone, and guarded by {guards}; delete it and what refers to it, and it is created again',
  },
  waiting: {
    ...credentialPolling,
    reason: 'WaitingForCatalog',
    message: 'Keystone identity Service and Endpoint are registered but not yet Available',
  },
  registered: {
    status: 'True',
    reason: 'CatalogRegistered',
    message: 'Keystone identity Service and Endpoint are registered and Available',
  },
});
