// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';

/** Whether a snapshot is being made. */
export const backingUpCondition = { type: 'BackingUp', inverse: true, informational: true } as const;

/** What is reported about snapshots. */
export const backingUp = conditionCases(backingUpCondition, {
  none: { status: 'False', reason: 'Idle', message: 'spec.backup is not set' },
  idle: {
    status: 'False',
    reason: 'Idle',
    message: 'The first snapshot is due at {time}',
    recheck: 'computed',
  },
  due: {
    status: 'False',
    reason: 'Idle',
    message: 'A snapshot is due, and waits for {what}',
    recheck: seconds(5),
  },
  inProgress: {
    status: 'True',
    reason: 'BackupInProgress',
    message: 'Backup Job {job} is running',
    suffix: 'optional',
    recheck: seconds(15),
  },
  succeeded: {
    status: 'False',
    reason: 'BackupSucceeded',
    message: 'Snapshot {name} is stored',
    recheck: 'computed',
  },
  failed: { status: 'False', reason: 'BackupFailed', message: '{cause}', recheck: 'computed' },
  noToken: {
    status: 'False',
    reason: 'NoBackupToken',
    message: 'No snapshot can be made: Secret {name} with the token for backups is missing, or has no key "token"',
    recheck: 'computed',
  },
  noCredentials: {
    status: 'False',
    reason: 'NoStorageCredentials',
    message: 'No snapshot can be made: Secret {name} with the credentials of the storage server is missing',
    recheck: 'computed',
  },
  invalid: {
    status: 'False',
    reason: 'InvalidSchedule',
    message: 'spec.backup.schedule cannot be followed: {cause}',
    counts: 'error',
  },
  never: {
    status: 'False',
    reason: 'InvalidSchedule',
    message: 'spec.backup.schedule "{schedule}" has no time in the next five years',
    counts: 'error',
  },
  tooDense: {
    status: 'False',
    reason: 'InvalidSchedule',
    message: 'spec.backup.schedule "{schedule}" has times less than 15 minutes apart',
    counts: 'error',
  },
});

/** Events of snapshots. */
export const backupEvents = eventCases({
  succeeded: { type: 'Normal', reason: 'BackupSucceeded', message: 'Snapshot {name} is stored in bucket {bucket}' },
  failed: { type: 'Warning', reason: 'BackupFailed', message: '{cause}' },
  missed: {
    type: 'Warning',
    reason: 'BackupMissed',
    message: 'The snapshot of {time} was not made: it could not begin within 15 minutes',
  },
});
