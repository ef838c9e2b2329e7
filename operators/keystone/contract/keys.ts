// SPDX-License-Identifier: Apache-2.0
import { conditionRows, eventRows } from '@forge/runtime/contract/rows.ts';
import { secretPolling } from './rechecks.ts';

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

/** Events about keys. */
export const keyEvents = eventRows({
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
});
