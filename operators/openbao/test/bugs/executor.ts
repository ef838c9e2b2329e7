// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

const executed = (test: string) => ['executor/run-executor.test.ts', test] as const;

/** Bugs of the executor: a snapshot that is none, one that goes, a secret that shows. */
export const executorBugs: readonly OperatorBug[] = [
  {
    name: 'a snapshot without its seal passes for a whole one',
    file: 'executor/whole-snapshot.ts',
    find: '(files.get(seal) ?? 0) === 0',
    replace: 'files.size === 0',
    caughtBy: [
      'executor/whole-snapshot.test.ts',
      'is not whole without its seal, or with an empty one, or with one that is but part of another file',
    ],
  },
  {
    name: 'a server that was deposed a moment ago passes for the leader',
    file: 'executor/find-leader.ts',
    find: 'leader !== undefined && others.length === 0',
    replace: 'leader !== undefined',
    caughtBy: executed('asks again while nobody leads, or two servers say that they do'),
  },
  {
    name: 'what is stored is not looked at',
    file: 'executor/run-backup.ts',
    find: 'if (stored === bytes) return;',
    replace: 'if (stored !== undefined) return;',
    caughtBy: executed('with exit code 6 when something else is stored, which goes'),
  },
  {
    name: 'an upload that broke off passes for one whose answer was lost',
    file: 'executor/run-backup.ts',
    find: 'if (stored !== snapshot.bytes) throw new ExecutorFailure',
    replace: 'if (stored === null) throw new ExecutorFailure',
    caughtBy: executed('with exit code 5 when the storage server fails, whatever the way'),
  },
  {
    name: 'retention deletes the snapshot that was just made',
    file: 'executor/expired-snapshots.ts',
    find: ' && key !== made)',
    replace: ')',
    caughtBy: executed('never touches what is none of its snapshots, nor the one just made'),
  },
  {
    name: 'retention deletes what others keep beside the snapshots',
    file: 'executor/expired-snapshots.ts',
    find: 'isSnapshotKey(key, prefix) && ',
    replace: '',
    caughtBy: executed('never touches what is none of its snapshots, nor the one just made'),
  },
  {
    name: 'a storage server that fails passes for a snapshot that broke off',
    file: 'executor/whole-snapshot.ts',
    find: 'if (isReading) passing.failure = error;',
    replace: 'passing.failure = error;',
    caughtBy: [
      'executor/whole-snapshot.test.ts',
      'stops its source when its reader stops, which is no failure of its own',
    ],
  },
];
