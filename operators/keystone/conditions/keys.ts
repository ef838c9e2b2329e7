// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { now } from '@forge/runtime/environment/duration.ts';
import { keysForAnnotation } from '../api/names.ts';
import { secretPolling } from './rechecks.ts';

const rotated = { status: 'True', message: 'rotation applied; staging secret cleared', recheck: now } as const;

const ofAnotherDatabase = {
  status: 'False',
  reason: 'KeysOfAnotherDatabase',
  message: `Secret {secret} holds keys of another database; copy and delete it, or set ${keysForAnnotation}={digest} to use it`,
} as const;

const terminating = {
  ...secretPolling,
  reason: 'KeysTerminating',
  message: 'Secret {secret} is being deleted; copy it while it is there',
} as const;

const noKeys = 'Secret {secret} holds no keys; restore them from the backup';

/** What is reported about the keys that sign tokens. */
export const fernetKeysReady = conditionCases('FernetKeysReady', {
  generating: { ...secretPolling, reason: 'GeneratingKeys', message: 'Initial Fernet keys have been generated' },
  empty: { status: 'False', reason: 'KeysMissing', message: `${noKeys}, or delete it to have new ones generated` },
  terminating,
  ofAnotherDatabase,
  rotated: { ...rotated, reason: 'FernetKeysRotated' },
  available: {
    status: 'True',
    reason: 'FernetKeysAvailable',
    message: 'Fernet keys Secret exists and rotation CronJob is configured',
  },
});

/** What is reported about the keys that encrypt the credential table. */
export const credentialKeysReady = conditionCases('CredentialKeysReady', {
  generating: { ...secretPolling, reason: 'GeneratingKeys', message: 'Initial credential keys have been generated' },
  missing: { status: 'False', reason: 'KeysMissing', message: 'Secret {secret} is gone; restore it from the backup' },
  empty: { status: 'False', reason: 'KeysMissing', message: noKeys },
  terminating,
  ofAnotherDatabase,
  rotated: { ...rotated, reason: 'CredentialKeysRotated' },
  available: {
    status: 'True',
    reason: 'CredentialKeysAvailable',
    message: 'Credential keys Secret exists and rotation CronJob is configured',
  },
});

const rotationApplied = {
  type: 'Normal',
  message: 'rotation applied from staging secret {staging} ({count} active keys)',
} as const;

/** Events about keys. */
export const keyEvents = eventCases({
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
  fernetKeysRotated: { ...rotationApplied, reason: 'FernetKeysRotated' },
  credentialKeysRotated: { ...rotationApplied, reason: 'CredentialKeysRotated' },
  annotationInvalid: {
    type: 'Warning',
    reason: 'RotationAnnotationInvalid',
    message: 'staging secret {staging} has malformed forge.c5c3.io/rotation-completed-at annotation: {error}',
  },
  rotationRejected: {
    type: 'Warning',
    reason: 'RotationRejected',
    message: 'staging secret {staging} rejected: {error}',
  },
});
