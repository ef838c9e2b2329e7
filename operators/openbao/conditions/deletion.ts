// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { soon } from './rechecks.ts';

/** What the deletion of a cluster waits for. */
export const deleting = conditionCases('Available', {
  waiting: { status: 'False', reason: 'Deleting', message: 'Waiting for {what} to be deleted', recheck: soon },
  releasing: {
    status: 'False',
    reason: 'Deleting',
    message:
      'Waiting until StatefulSet {set} does not own PersistentVolumeClaims {claims} any more: its retention policy was changed, and would delete them with it',
    recheck: soon,
  },
});

/** Events of a deletion. */
export const deletionEvents = eventCases({
  retained: {
    type: 'Normal',
    reason: 'DataRetained',
    message:
      'Kept PersistentVolumeClaims {claims}, and the Secrets {secrets} if they exist: an OpenBaoCluster of the same name uses them again',
  },
  backupsRetained: {
    type: 'Normal',
    reason: 'BackupsRetained',
    message: 'Kept the snapshots under {prefix} in bucket {bucket}',
  },
});
