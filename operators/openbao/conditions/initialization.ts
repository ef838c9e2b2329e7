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
    message: 'Pod {pod} has no data and waits to join the pods that have it',
    suffix: 'optional',
    recheck: soon,
  },
  dataMissing: {
    status: 'False',
    reason: 'NotInitialized',
    message: 'Pod {pod} finds no data on PersistentVolumeClaim {claim}, which had some',
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
    message: 'An initialisation was begun and its answer is missing: waiting until it must have ended',
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
    message: 'Waiting for the deletion of the Secret with an old root token',
    recheck: soon,
  },
  unknown: { status: 'Unknown', reason: 'Unknown', message: 'No pod has been asked yet' },
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
