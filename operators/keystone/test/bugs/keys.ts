// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

/** Bugs of keys, their rotation and their backups. */
export const keyBugs: readonly OperatorBug[] = [
  {
    name: 'lost credential keys are generated anew',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'Fernet keys that somebody deleted are generated anew, credential keys must be restored: 2025.2',
    ],
    file: 'steps/keys/claim-keys.ts',
    find: 'if (missing !== undefined && hasSyncedSchema(keystone)) {',
    replace: 'if (missing !== undefined && !hasSyncedSchema(keystone)) {',
  },
  {
    name: 'lost credential keys are generated anew where the tag is no release',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'Fernet keys that somebody deleted are generated anew, credential keys must be restored: latest',
    ],
    file: 'objects/synced-schema.ts',
    find: '[status?.syncedDatabase, status?.installedRelease, status?.completedBootstrap]',
    replace: '[status?.installedRelease]',
  },
  {
    name: 'the schema is created before there are credential keys',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'credential keys of another database are generated once they are deleted, and before the schema',
    ],
    file: 'steps/database/remember-database.ts',
    find: '!hasSyncedSchema(keystone) && !hasOwnKeys(context)',
    replace: "secret === ''",
  },
  {
    name: 'the schema is created while credential keys are missing from their Secret',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a new database waits for credential keys that were emptied before there was one',
    ],
    file: 'steps/database/remember-database.ts',
    find: ' && holdsKeys(secret.data ?? {})',
    replace: '',
  },
  {
    name: 'keys are generated while their Secret is being deleted',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a credential key Secret that is being deleted is awaited, and nothing is generated beside it',
    ],
    file: 'steps/keys/claim-keys.ts',
    find: 'if (secret === undefined) return',
    replace: 'if (secret?.metadata.deletionTimestamp !== undefined || secret === undefined) return',
  },
  {
    name: 'a Secret without keys counts for keys',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a fernet key Secret without a key is none, and heals when its keys are restored',
    ],
    file: 'steps/keys/claim-keys.ts',
    find: '!holdsKeys(secret.data ?? {})',
    replace: 'secret.data === null',
  },
  {
    name: 'External Secrets deletes the backup of missing keys',
    caughtBy: [
      'steps/keys.test.ts',
      'stays in the store when the keys are deleted, and follows them again once they are restored',
    ],
    file: 'objects/keys/backup.ts',
    find: "deletionPolicy: 'None'",
    replace: "deletionPolicy: 'Delete'",
  },
  {
    name: 'External Secrets overwrites the backup of keys that were emptied',
    caughtBy: [
      'steps/keys.test.ts',
      'stays in the store when the keys are emptied, and follows them again once they are restored',
    ],
    file: 'objects/keys/backup.ts',
    find: ", updatePolicy: 'IfNotExists'",
    replace: '',
  },
  {
    name: 'the backup of missing keys is protected only while the credentials are there',
    caughtBy: [
      'steps/protect-backups.test.ts',
      'stays although all Secrets of the namespace are deleted, and serves when they are restored',
    ],
    file: 'steps/protect-backups.ts',
    find: 'for (const keyType of lost) {',
    replace:
      'const [credentials] = keystone.status?.conditions ?? [];\n' +
      "    for (const keyType of credentials?.status === 'True' ? lost : []) {",
  },
  {
    name: 'a backup that could not be protected is not tried again',
    caughtBy: ['steps/protect-backups.test.ts', 'is protected later when that is not possible at once'],
    file: 'steps/protect-backups.ts',
    find: 'isProtected = false;',
    replace: '',
  },
  {
    name: 'External Secrets overwrites the backup with keys of another database',
    caughtBy: [
      'steps/protect-backups.test.ts',
      'is not overwritten by keys of another database that somebody puts in their place',
    ],
    file: 'objects/keys/backup.ts',
    find: "['own', 'adoptable'].includes(claimOn(secret, keystone)) && ",
    replace: '',
  },
  {
    name: 'External Secrets deletes the backup with a Secret that is being deleted',
    caughtBy: ['steps/protect-backups.test.ts', 'is kept from the moment that their Secret is being deleted'],
    file: 'objects/keys/backup.ts',
    find: 'secret === undefined || secret.metadata.deletionTimestamp !== undefined',
    replace: 'secret === undefined',
  },
  {
    name: 'a staging Secret that cannot be deleted stops the backup',
    caughtBy: [
      'steps/keys.test.ts',
      'are backed up although their staging Secret cannot be deleted, which is tried again',
    ],
    file: 'steps/keys/apply-rotation.ts',
    find: "if (!isApiError(error, 'Conflict')) log.warn('cannot delete the staging Secret', { secret: name, error });",
    replace: "if (!isApiError(error, 'Conflict')) throw error;",
  },
  {
    name: 'keys of another database are used',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'fernet keys that belong to nobody are used only when they are said to be of this database',
    ],
    file: 'steps/keys/claim-keys.ts',
    find: "if (claim === 'ofAnotherDatabase') {",
    replace: "if (claim === 'controlled' && name === '') {",
  },
  {
    name: 'keys of a brownfield database are owned by their Keystone',
    caughtBy: [
      'steps/keys.test.ts',
      'with a database of its own choice carry a mark and no owner; with a managed one they are owned',
    ],
    file: 'objects/keys/key-claim.ts',
    find: 'spec.database.host !== undefined',
    replace: "spec.database.host === ''",
  },
  {
    name: 'staged keys are taken twice',
    caughtBy: ['steps/keys.test.ts', 'that were taken are not taken again while their staging Secret is still there'],
    file: 'steps/keys/apply-rotation.ts',
    find: 'if (completedAt === completionOf(production)) {',
    replace: "if (completedAt === '') {",
  },
  {
    name: 'staged keys are not checked against production',
    caughtBy: ['objects/keys/staged-keys.test.ts', 'are rejected when they were not made from what is in production'],
    file: 'objects/keys/staged-keys.ts',
    find: '?? staleProblem(staged, production)',
    replace: '',
  },
  {
    name: 'the staging Secret is removed before production is written',
    caughtBy: ['steps/keys.test.ts', 'that cannot be written to production stay staged'],
    file: 'steps/keys/apply-rotation.ts',
    find: '  await replace(rotatedKeySecret(',
    replace: '  await discard();\n  await replace(rotatedKeySecret(',
  },
  {
    name: 'the rotation Job may write the production Secret',
    caughtBy: [
      'objects/rotation/cron-job.test.ts',
      'a rotation Job may read its two Secrets, and write the staging one only',
    ],
    file: 'objects/rotation/access.ts',
    find: 'resourceNames: [staging]',
    replace: 'resourceNames: [staging, keys]',
  },
  {
    name: 'a backup is stamped without the identity of its source',
    caughtBy: [
      'steps/keys.test.ts',
      'is asked for as specified, follows every rotation, and is made again for a Secret that came back',
    ],
    file: 'objects/keys/backup.ts',
    find: 'JSON.stringify([metadata.uid, entries])',
    replace: 'JSON.stringify([entries])',
  },
  {
    name: 'a backup does not follow the keys',
    caughtBy: [
      'steps/keys.test.ts',
      'metrics of keys tell the age of the last rotation and whether there is a backup, and go with the Keystone',
    ],
    file: 'objects/keys/backup.ts',
    find: 'JSON.stringify([metadata.uid, entries])',
    replace: 'JSON.stringify([metadata.uid, entries.length])',
  },
  {
    name: 'a backup is asked for without a store',
    caughtBy: ['steps/keys.test.ts', 'is asked for as soon as there is a store, and never without one'],
    file: 'steps/keys/back-up-keys.ts',
    find: '|| get(ClusterSecretStore, store) === undefined',
    replace: '',
  },
  {
    name: 'a failed backup fails the Keystone',
    caughtBy: ['steps/keys.test.ts', 'that cannot be asked for leaves the Keystone ready'],
    file: 'steps/keys/back-up-keys.ts',
    find: "log.warn('cannot ask for a backup of the keys', { error });",
    replace: 'throw error;',
  },
];
