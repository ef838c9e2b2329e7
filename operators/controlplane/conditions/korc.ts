// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { credentialPolling, failedRead, refusedRequest, storeNotReady } from './rechecks.ts';

const notAvailable = 'ApplicationCredential "{name}" is not yet Available';
const failedTerminally = 'ApplicationCredential "{name}" failed terminally: {error}';
const importNotAvailable = 'admin {kind} import "{import}" is not yet Available';
const importFailed = 'admin {kind} import "{import}" failed terminally: {importError}';

const waitingForCredential = { ...credentialPolling, reason: 'WaitingForApplicationCredential' } as const;
const credentialFailed = { ...credentialPolling, reason: 'ApplicationCredentialFailed' } as const;

/** What is reported about the admin application credential, and of what K-ORC needs to mint it. */
export const korcReady = conditionCases('KORCReady', {
  waitingForPassword: {
    ...credentialPolling,
    suffix: 'optional',
    reason: 'WaitingForAdminPassword',
    message: 'admin password Secret is not yet available; deferring application-credential mint',
  },
  passwordNotRead: { ...failedRead, reason: 'AdminPasswordError', message: 'reading admin password: {error}' },
  passwordCloudRefused: {
    ...refusedRequest,
    reason: 'PasswordCloudError',
    message: 'ensuring admin password-cloud secret: {error}',
  },
  secretNameConflict: {
    status: 'False',
    reason: 'SecretNameConflict',
    message: 'cloudCredentialsRef.secretName: {conflict}',
  },
  unownedSecret: {
    status: 'False',
    reason: 'SecretNameConflict',
    message:
      'Secret "{secret}" was not made by External Secrets, which would replace its content by clouds.yaml; copy what you need of it, and delete it',
  },
  importsRefused: {
    ...refusedRequest,
    reason: 'AdminImportError',
    message: 'ensuring K-ORC admin User/Domain imports: {error}',
  },
  valueRefused: {
    ...refusedRequest,
    reason: 'SecretError',
    message: 'ensuring application-credential secret: {error}',
  },
  newValueRefused: {
    ...refusedRequest,
    reason: 'SecretError',
    message: 'regenerating application-credential secret value for re-mint: {error}',
  },
  seedRefused: { ...refusedRequest, reason: 'SeedCloudsYamlError', message: 'seeding bootstrap clouds.yaml: {error}' },
  pushSecretRefused: {
    ...refusedRequest,
    reason: 'PushSecretError',
    message: 'ensuring admin app-credential PushSecret: {error}',
  },
  externalSecretRefused: {
    ...refusedRequest,
    reason: 'ExternalSecretError',
    message: 'ensuring k-orc clouds.yaml ExternalSecret: {error}',
  },
  credentialNotRead: {
    ...failedRead,
    reason: 'ApplicationCredentialError',
    message: 'reading ApplicationCredential: {error}',
  },
  credentialRefused: {
    ...refusedRequest,
    reason: 'ApplicationCredentialError',
    message: 'create-or-update ApplicationCredential: {error}',
  },
  deletionRefused: {
    ...refusedRequest,
    reason: 'ApplicationCredentialError',
    message: 'deleting ApplicationCredential for re-mint: {error}',
  },
  // Only a re-mint waits for the store: the first credential has nothing to lose.
  storeNotReady,
  reMinting: {
    ...credentialPolling,
    reason: 'ReMinting',
    message:
      'deleted admin application credential "{name}"; a fresh credential will be minted from the rotated admin password',
  },
  revoking: {
    ...credentialPolling,
    suffix: 'optional',
    reason: 'ReMinting',
    message: 're-minting admin application credential "{name}"; awaiting revoke of the previous credential',
  },
  stalled: {
    ...credentialPolling,
    suffix: 'optional',
    reason: 'ReMintStalled',
    message:
      'admin application credential "{name}" has been Terminating longer than 5m0s; K-ORC may be unable to revoke the previous Keystone credential',
  },
  failed: { ...credentialFailed, message: failedTerminally },
  failedWithImport: { ...credentialFailed, message: `${failedTerminally}; ${importNotAvailable}` },
  failedWithFailedImport: { ...credentialFailed, message: `${failedTerminally}; ${importFailed}` },
  waiting: { ...waitingForCredential, suffix: 'optional', message: notAvailable },
  waitingForImport: { ...waitingForCredential, message: `${notAvailable}; ${importNotAvailable}` },
  waitingForFailedImport: { ...waitingForCredential, message: `${notAvailable}; ${importFailed}` },
  minted: {
    status: 'True',
    reason: 'ApplicationCredentialMinted',
    message: 'K-ORC admin application credential is minted and available',
  },
});
