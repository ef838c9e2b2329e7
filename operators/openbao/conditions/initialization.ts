// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { soon } from './rechecks.ts';

/** Whether the cluster is initialised, and what it waits for. */
export const initialized = conditionCases('OpenBaoInitialized', {
  initialized: { status: 'True', reason: 'Initialized', message: 'OpenBao is initialised' },
  noPod: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'Waiting for pod {pod} to start',
    suffix: 'optional',
    recheck: soon,
  },
  noAnswer: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'Waiting for an answer of pod {pod}',
    suffix: 'optional',
    recheck: soon,
  },
  outside: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'Pod {pod} can be initialised only by an operator that runs inside the cluster',
    suffix: 'optional',
    recheck: soon,
  },
  joining: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'Pod {pod} has no data and waits for the pods that have',
    suffix: 'optional',
    recheck: soon,
  },
  losing: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'PersistentVolumeClaim {claim} is being deleted: delete pod {pod}, so that both are made again',
    recheck: soon,
  },
  unanswered: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'Waiting for the end of an initialisation whose answer is missing',
    recheck: soon,
  },
  tokenLost: {
    status: 'True',
    reason: 'Initialized',
    message: 'OpenBao is initialised, but its root token is lost',
    recheck: soon,
  },
  staleToken: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'A root token of earlier data is in the way',
    recheck: soon,
  },
  unknown: { status: 'Unknown', reason: 'Unknown', message: 'No pod was asked yet' },
});

/** Events of an initialisation. */
export const initializationEvents = eventCases({
  tokenStored: {
    type: 'Warning',
    reason: 'RootTokenStored',
    message:
      'The root token of OpenBao is in Secret {secret}: set up other logins with it, then revoke it and delete the Secret',
  },
  tokenMissing: {
    type: 'Warning',
    reason: 'RootTokenMissing',
    message: 'OpenBao was initialised before, and there is no Secret {secret} with its root token',
  },
});
