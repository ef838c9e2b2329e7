// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { credentialPolling, failedRead, refusedRequest, storeNotReady } from './rechecks.ts';

/** What is reported about the clouds.yaml with the admin application credential, on its way to OpenBao and back. */
export const adminCredentialReady = conditionCases('AdminCredentialReady', {
  waitingForKORC: {
    ...credentialPolling,
    reason: 'WaitingForKORC',
    message: 'KORCReady is not True; admin credential push deferred',
  },
  storeNotReady,
  externalSecretNotRead: {
    ...failedRead,
    reason: 'CloudsYamlError',
    message: 'checking k-orc clouds.yaml ExternalSecret: {error}',
  },
  syncRefused: {
    ...refusedRequest,
    reason: 'CloudsYamlError',
    message: 'forcing k-orc clouds.yaml ExternalSecret re-sync: {error}',
  },
  cloudsYamlNotRead: {
    ...refusedRequest,
    reason: 'CloudsYamlError',
    message: 'reading materialized k-orc clouds.yaml Secret: {error}',
  },
  waitingForCloudsYaml: {
    ...credentialPolling,
    reason: 'WaitingForCloudsYaml',
    message: 'k-orc clouds.yaml ExternalSecret is not yet Ready',
  },
  waitingForId: {
    ...credentialPolling,
    reason: 'WaitingForCredentialID',
    message: 'minted application credential id is not yet reported by K-ORC',
  },
  waitingForSecret: {
    ...credentialPolling,
    reason: 'WaitingForAppCredentialSecret',
    message: 'app-credential secret "{name}" does not exist yet',
  },
  waitingForValue: {
    ...credentialPolling,
    reason: 'WaitingForAppCredentialSecret',
    message: 'app-credential secret "{name}" has no "value" key (mint not complete?)',
  },
  secretNotRead: {
    ...failedRead,
    reason: 'SecretError',
    message: 'reading admin app-credential secret "{name}": {error}',
  },
  documentRefused: {
    ...refusedRequest,
    reason: 'SecretError',
    message: 'assembling admin app-credential clouds.yaml: {error}',
  },
  pushSecretRefused: {
    ...refusedRequest,
    reason: 'PushSecretError',
    message: 'ensuring admin app-credential PushSecret: {error}',
  },
  pushRefused: {
    ...refusedRequest,
    reason: 'PushSecretError',
    message: 'forcing admin app-credential PushSecret re-push: {error}',
  },
  pushSecretNotRead: {
    ...failedRead,
    reason: 'PushSecretError',
    message: 'reading admin app-credential PushSecret: {error}',
  },
  waitingForPush: {
    ...credentialPolling,
    reason: 'WaitingForPushSecret',
    message: 'admin app-credential PushSecret has not synced to OpenBao yet',
  },
  notMaterialized: {
    ...credentialPolling,
    reason: 'WaitingForCloudsYamlSync',
    message: 'k-orc clouds.yaml Secret has not yet materialized the assembled application credential',
  },
  stale: {
    ...credentialPolling,
    reason: 'WaitingForCloudsYamlSync',
    message:
      'materialized k-orc clouds.yaml does not yet match the assembled application credential; awaiting ESO re-sync',
  },
  stuck: {
    ...credentialPolling,
    reason: 'CloudsYamlSyncStuck',
    message:
      'materialized k-orc clouds.yaml has not matched the assembled application credential for over 15m0s; the ESO ExternalSecret or OpenBao backend may be unable to sync — manual intervention required',
  },
  ready: {
    status: 'True',
    reason: 'AdminCredentialReady',
    message: 'Admin application credential committed and mirrored to OpenBao',
  },
});
