// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { secretPolling } from './rechecks.ts';

/** What holds a Keystone that is being deleted. */
export const secretsFinalized = conditionCases('SecretsReady', {
  notAdopted: {
    ...secretPolling,
    reason: 'WaitingForESOAdoption',
    message: 'Waiting for ESO to adopt PushSecret "{name}" (cleanup finalizer not yet installed)',
  },
  notGone: {
    ...secretPolling,
    reason: 'OpenBaoFinalizerBlocked',
    message: 'Waiting for PushSecret "{name}" to be garbage-collected before releasing openbao-finalizer',
  },
});

/** Events of a deletion. */
export const deletionEvents = eventCases({
  finalizingDatabase: {
    type: 'Normal',
    reason: 'FinalizingDatabase',
    message: 'Cleaning up MariaDB Database, User, and Grant before removing Keystone',
  },
  keysRetained: {
    type: 'Normal',
    reason: 'KeysRetained',
    message: 'Kept Secrets {a} and {b}: the database they belong to is not deleted with this Keystone',
  },
  oneKeyRetained: {
    type: 'Normal',
    reason: 'KeysRetained',
    message: 'Kept Secret {a}: the database it belongs to is not deleted with this Keystone',
  },
  databaseFinalized: {
    type: 'Normal',
    reason: 'DatabaseFinalized',
    message: 'MariaDB Database, User, and Grant removed; releasing finalizer',
  },
  finalizingOpenBao: {
    type: 'Normal',
    reason: 'FinalizingOpenBaoSecrets',
    message: 'Cleaning up OpenBao backup PushSecrets before removing Keystone',
  },
  openBaoFinalized: {
    type: 'Normal',
    reason: 'OpenBaoSecretsFinalized',
    message: 'OpenBao backup PushSecrets deleted; releasing openbao-finalizer',
  },
});
