// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

/** Bugs of the database, its Jobs and the release machine. */
export const databaseBugs: readonly OperatorBug[] = [
  {
    name: 'contract runs while pods of the old release drain',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade expands, migrates, rolls out, and contracts only when no pod of the old release is left',
    ],
    file: 'steps/rollout/rollout-complete.ts',
    find: 'return pods.every((pod) => hasEnded(pod) || runsOnly(image, pod.spec));',
    replace: 'return pods.length > 0;',
  },
  {
    name: 'contract does not wait for the rollout',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade expands, migrates, rolls out, and contracts only when no pod of the old release is left',
    ],
    file: 'steps/database/upgrade-phases.ts',
    find: 'if (!(await isRolloutComplete(output.image, context)))',
    replace: "if (output.image === '' && !(await isRolloutComplete(output.image, context)))",
  },
  {
    name: 'contract runs in the place of expand',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade expands, migrates, rolls out, and contracts only when no pod of the old release is left',
    ],
    file: 'steps/database/upgrade-phases.ts',
    find: "const job = phaseJob(keystone, 'expand', jobInputs(context));",
    replace: "const job = phaseJob(keystone, 'contract', jobInputs(context));",
  },
  {
    name: 'an abort kills a Job that works',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an abort waits for a phase at work; then the schema stays ahead, and the upgrade can be tried again',
    ],
    file: 'steps/database/abort-upgrade.ts',
    find: 'if (await isPhaseAtWork(context)) return waiting;',
    replace: '',
  },
  {
    name: 'an upgrade is aborted after contract',
    caughtBy: ['conditions/condition-catalog.test.ts', 'an upgrade is not aborted once contract may have run'],
    file: 'steps/database/abort-upgrade.ts',
    find: "if (hasContracted(upgrade, context)) return 'refused';",
    replace: '',
  },
  {
    name: 'an upgrade is aborted after contract when its Job was deleted',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade is not aborted once contract may have run, although its Job was deleted',
    ],
    file: 'steps/database/abort-upgrade.ts',
    find: 'context.object.status?.contractedRelease !== undefined ||',
    replace: '',
  },
  {
    name: 'an upgrade is aborted after a contract Job that an earlier version of the operator ran',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade is not aborted after a contract Job of which nothing is remembered',
    ],
    file: 'steps/database/abort-upgrade.ts',
    find: "phase === 'contract' && isJobOf(upgrade, job)",
    replace: "phase === 'contract' && isJobOf(upgrade, job) && job.kind === ''",
  },
  {
    name: 'another patch forgets that contract has begun',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'another patch during contract does not make an abort possible again',
    ],
    file: 'steps/database.ts',
    find: "({ upgradePhase: 'RollingUpdate' } as const)",
    replace: "({ upgradePhase: 'RollingUpdate', contractedRelease: undefined } as const)",
  },
  {
    name: 'an abort syncs the old release on the expanded schema',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade aborted in Migrating leaves the schema ahead, and the old release serves',
    ],
    file: 'steps/database/abort-upgrade.ts',
    find: 'return { expandedRelease: keystone.status?.expandedRelease };',
    replace: 'return { expandedRelease: undefined };',
  },
  {
    name: 'an abort deletes Jobs that are not measured yet',
    caughtBy: ['steps/database/measure-database-jobs.test.ts', 'are not lost with Jobs that an abort deletes'],
    file: 'steps/database/stop-phases.ts',
    find: 'if (context.keepsJobs) return false;',
    replace: '',
  },
  {
    name: 'a database that an earlier version filled waits for keys that are gone',
    caughtBy: [
      'steps/database/remember-database.test.ts',
      'a database that an earlier version of the operator filled is remembered although its credential keys are gone',
    ],
    file: 'steps/database/remember-database.ts',
    find: '!hasSyncedSchema(keystone) && ',
    replace: '',
  },
  {
    name: 'an expand Job that is gone counts as one that never ran',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an expand Job that was deleted may have run: after an abort the schema stays ahead',
    ],
    file: 'steps/database/expand-facts.ts',
    find: ': known !== undefined;',
    replace: ": known === '';",
  },
  {
    name: 'an expand Job stands for the one before it',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an expand Job that could not start is no proof for the one before it, which was deleted',
    ],
    file: 'steps/database/expand-facts.ts',
    find: 'isLost || mayHaveRun ?',
    replace: '!isLost && mayHaveRun ?',
  },
  {
    name: 'a database that was created again stays empty',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a database that was deleted is created, filled and bootstrapped again',
    ],
    file: 'objects/backends.ts',
    find: '[database?.metadata.uid, server?.metadata.uid]',
    replace: '[database && keystone.metadata.uid, server?.metadata.uid]',
  },
  {
    name: 'a database on a MariaDB that was created again stays empty',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a MariaDB that was deleted and created again may be empty: its database is filled and bootstrapped again',
    ],
    file: 'objects/backends.ts',
    find: '[database?.metadata.uid, server?.metadata.uid]',
    replace: '[database?.metadata.uid, undefined]',
  },
  {
    name: 'a database that is ahead is synced with the old release when its MariaDB was created again',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a database that is ahead stays so with another MariaDB, which may have its volumes',
    ],
    file: 'steps/database/remember-database.ts',
    find: '...(isOther && { expandedRelease: undefined })',
    replace: 'expandedRelease: undefined',
  },
  {
    name: 'an upgrade begins again when the operator is updated',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade goes on where an earlier version of the operator remembered no MariaDB',
    ],
    file: 'steps/database/remember-database.ts',
    find: 'if (status.syncedDatabase === object) return',
    replace: "if (status.syncedDatabase === '') return",
  },
  {
    name: 'another database is not bootstrapped',
    caughtBy: ['conditions/condition-catalog.test.ts', 'a database with another host is filled and bootstrapped'],
    file: 'objects/jobs/bootstrap-job.ts',
    find: '[adminPasswordDigest, bootstrap, keystone.status?.syncedDatabase]',
    replace: '[adminPasswordDigest, bootstrap]',
  },
  {
    name: 'a new database counts as expanded',
    caughtBy: ['conditions/condition-catalog.test.ts', 'a new database is not ahead, although the one before it was'],
    file: 'steps/database/remember-database.ts',
    find: '...(isOther && { expandedRelease: undefined })',
    replace: '',
  },
  {
    name: 'a new database counts as expanded by the Job that expanded the one before',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade that is aborted on a new database leaves it not ahead, although that before it was expanded',
    ],
    file: 'steps/database/remember-database.ts',
    find: "{ ...fresh, expandJob: undefined, upgradePhase: 'Expanding' }",
    replace: "{ ...fresh, upgradePhase: 'Expanding' }",
  },
  {
    name: 'an upgrade begins again while a phase works on the database',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade begins again on a new database, once no phase works on it',
    ],
    file: 'steps/database/remember-database.ts',
    find: '(await isPhaseAtWork(context)) || ',
    replace: '',
  },
  {
    name: 'pods of the old release come back after contract',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade that has begun to contract is completed on a new database, and no old pod comes back',
    ],
    file: 'steps/database/remember-database.ts',
    find: 'if (status.contractedRelease !== undefined) {',
    replace: "if (status.contractedRelease === '') {",
  },
  {
    name: 'a contract that was begun on another MariaDB is never finished',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'an upgrade that has begun to contract is completed on another MariaDB, and no old pod comes back',
    ],
    file: 'steps/database/remember-database.ts',
    find: 'installedRelease: to, expandedRelease: undefined }',
    replace: 'installedRelease: to }',
  },
  {
    name: 'a downgrade is run',
    caughtBy: ['steps/database/release-decision.test.ts', '2025.2 on 2026.1: refuse: DowngradeNotSupported'],
    file: 'steps/database/release-decision.ts',
    find: 'if (order > 0) return downgradeRefusal(from, to);',
    replace: "if (order > 0) return 'next';",
  },
  {
    name: 'mariadb-operator is not told of another server',
    caughtBy: [
      'steps/database/empty-server.test.ts',
      'an empty server under a MariaDB that was created again gets database, account and privileges before db_sync runs',
    ],
    file: 'objects/mariadb.ts',
    find: '{ [mariadbUidAnnotation]: uid }',
    replace: '{}',
  },
  {
    name: 'the grant is not waited for',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a managed database is created with its account and privileges, one after the other',
    ],
    file: 'steps/database/provision-database.ts',
    find: '(await provision(Grant, mariadbGrant(keystone, server), databaseReady.accountNotReady(), context))',
    replace:
      '(await provision(Grant, mariadbGrant(keystone, server), databaseReady.accountNotReady(), context), undefined)',
  },
  {
    name: 'a MariaDB that is being deleted counts as ready',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a MariaDB that is being deleted is not ready, whatever it says',
    ],
    file: 'steps/database/provision-database.ts',
    find: 'return isReady(object) && object?.metadata.deletionTimestamp === undefined;',
    replace: 'return isReady(object);',
  },
  {
    name: 'a database that an earlier Keystone left is trusted',
    caughtBy: [
      'steps/database/provision-database.test.ts',
      'a ready database of an earlier Keystone is not trusted before garbage collection has deleted it',
    ],
    file: 'steps/database/provision-database.ts',
    find: 'if (live !== undefined && isOfEarlierOwner(live, object)) return notReady;',
    replace: 'if (live !== undefined && isOfEarlierOwner(live, object)) return isUsable(live) ? undefined : notReady;',
  },
  {
    name: 'pods roll with a new password before the schema check has passed with it',
    caughtBy: [
      'test/flow.test.ts',
      'rolls its pods with a new password of the database only after the schema check has passed with it',
    ],
    file: 'steps/database/sync-schema.ts',
    find: "if (check.state === 'running') return",
    replace: "if (check.state === 'running' && keystone.status?.installedRelease === undefined) return",
  },
  {
    name: 'a schema is synced while an upgrade by an earlier Keystone works on it',
    caughtBy: [
      'steps/finalize-database.test.ts',
      'migrates the schema only after an upgrade of its predecessor has stopped',
    ],
    file: 'steps/database/sync-schema.ts',
    find: 'if (isEarlierMigrating(context)) return waiting(databaseReady.syncing());',
    replace: '',
  },
  {
    name: 'bootstrap runs the release that is wanted instead of the one that serves',
    caughtBy: [
      'test/serving-release.test.ts',
      'while a release is refused, policies are checked and bootstrap runs with the release that serves',
    ],
    file: 'steps/bootstrap.ts',
    find: 'image: needs.database.image,',
    replace: 'image: `${keystone.spec.image.repository}:${keystone.spec.image.tag}`,',
  },
  {
    name: 'a Job is counted twice',
    caughtBy: ['steps/database/measure-database-jobs.test.ts', 'count each Job once, and go with the Keystone'],
    file: 'steps/database/measure-database-jobs.ts',
    find: 'annotations[annotation] === uid) return true;',
    replace: "annotations[annotation] === '') return true;",
  },
  {
    name: 'Jobs of others are measured',
    caughtBy: ['steps/database/measure-database-jobs.test.ts', 'count no Job of somebody else'],
    file: 'steps/database/measure-database-jobs.ts',
    find: '|| !isControlledBy(job, context.object) ',
    replace: '',
  },
];
