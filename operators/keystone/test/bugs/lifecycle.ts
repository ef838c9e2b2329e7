// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

/** Bugs of credentials, configuration, rollout and deletion. */
export const lifecycleBugs: readonly OperatorBug[] = [
  {
    name: 'an ExternalSecret counts for its Secret',
    caughtBy: [
      'steps/secrets.test.ts',
      'does not take a ready ExternalSecret for a Secret: it may be ready without having written one',
    ],
    file: 'steps/secrets.ts',
    find: 'secret !== undefined && (external === undefined ? !isManaged : isReady(external))',
    replace: 'external === undefined ? !isManaged && secret !== undefined : isReady(external)',
  },
  {
    name: 'the secret store is asked last',
    caughtBy: [
      'steps/secrets.test.ts',
      'with a managed database asks for the store, then for each ExternalSecret and its Secret, in this order',
    ],
    file: 'steps/secrets.ts',
    find: 'if (asksStore && !store.isReady) return',
    replace: 'if (asksStore && !store.isReady && isSynced(database) && isSynced(admin)) return',
  },
  {
    name: 'an outage of the secret store freezes an installed Keystone',
    caughtBy: [
      'steps/secrets.test.ts',
      'shows an outage of the store on an installed Keystone at once, and freezes neither scaling nor passwords: latest',
    ],
    file: 'steps/secrets.ts',
    find: 'return hasSyncedSchema(keystone) ? degraded',
    replace: 'return keystone.status?.installedRelease !== undefined ? degraded',
  },
  {
    name: 'digests are made without a key',
    caughtBy: ['test/digest-key.test.ts', 'get a new key when somebody deletes it, for one rollout and one bootstrap'],
    file: 'steps/bootstrap.ts',
    find: 'adminPassword.digest(needs.dbConnection.digestKey)',
    replace: 'adminPassword.digest(adminPassword)',
  },
  {
    name: 'the connection Secret keeps what others put into it',
    caughtBy: [
      'steps/db-connection-secret.test.ts',
      'follows the password of the user, and loses whatever else somebody puts into it',
    ],
    file: 'steps/db-connection-secret.ts',
    find: 'if (Object.keys(live.data ?? {}).length > Object.keys(wanted.data ?? {}).length) await replace(wanted);',
    replace: 'if (live.data === undefined) await replace(wanted);',
  },
  {
    name: 'the password stands in the pods',
    caughtBy: ['test/flow.test.ts', 'keeps every credential out of ConfigMaps, Jobs, Deployments and Events'],
    file: 'objects/pod.ts',
    find: 'valueFrom: { secretKeyRef: { name: namesOf(keystone).dbConnection, key } },',
    replace: "value: 'mysql+pymysql://keystone:db-secret@db.example:3306/keystone',",
  },
  {
    name: 'configurations are pruned while old pods mount them',
    caughtBy: ['steps/prune-config-maps.test.ts', 'stay while the rollout is not complete: old pods mount them'],
    file: 'steps/prune-config-maps.ts',
    find: 'if (!needs.deployment.rolledOut) return ready();',
    replace: '',
  },
  {
    name: 'configurations of others are pruned',
    caughtBy: [
      'steps/prune-config-maps.test.ts',
      'are deleted but for three and the current one, whenever it was made; those of others are left alone',
    ],
    file: 'steps/prune-config-maps.ts',
    find: 'name.startsWith(`${base}-`) && !used.includes(name)',
    replace: "name !== ''",
  },
  {
    name: 'pods of Jobs are endpoints of the API',
    caughtBy: ['objects/jobs/jobs.test.ts', 'have pods that no selector of the API matches'],
    file: 'api/names.ts',
    find: "'app.kubernetes.io/name': 'keystone-job'",
    replace: "'app.kubernetes.io/name': 'keystone'",
  },
  {
    name: 'a Deployment of another selector is applied for ever',
    caughtBy: ['conditions/condition-catalog.test.ts', 'a Deployment with another selector is made anew'],
    file: 'steps/deployment.ts',
    find: 'if (before !== undefined && !isDeepStrictEqual(before.spec?.selector, desired.spec?.selector)) {',
    replace: 'if (before === undefined && !isDeepStrictEqual(desired, desired)) {',
  },
  {
    name: 'bootstrap runs again and again',
    caughtBy: ['test/flow.test.ts', 'writes nothing more once it is settled'],
    file: 'steps/bootstrap.ts',
    find: '{ pods, completed, failed: before, secrets: known }',
    replace: '{ pods, failed: before, secrets: known }',
  },
  {
    name: 'a bootstrap that failed hides behind its next attempt',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a bootstrap Job that failed is said to have failed, and why, also while it is tried again',
    ],
    file: 'steps/bootstrap.ts',
    find: 'completed, failed: before, ',
    replace: 'completed, ',
  },
  {
    name: 'backups are deleted before External Secrets holds them',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a Keystone waits for External Secrets to hold the backups, and deletes none before',
    ],
    file: 'steps/finalize-open-bao.ts',
    find: 'if (unadopted !== undefined) return',
    replace: "if (unadopted?.metadata.name === '') return",
  },
  {
    name: 'the finalizer of backups is dropped while they are still there',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a Keystone stays until its backups are gone from the secret store',
    ],
    file: 'steps/finalize-open-bao.ts',
    find: 'if (left !== undefined) return',
    replace: "if (left?.metadata.name === '') return",
  },
  {
    name: 'a backup that protected missing keys is never held, nor its copy deleted',
    caughtBy: ['steps/keys.test.ts', 'of missing keys goes with the Keystone, as every backup does'],
    file: 'steps/finalize-open-bao.ts',
    find: "{ spec: { deletionPolicy: 'Delete' } } as const",
    replace: '{}',
  },
  {
    name: 'a Keystone has no finalizer for its database',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      "database objects are deleted when they are this Keystone's, and nobody waits for them",
    ],
    file: 'reconcile.ts',
    find: 'deletion: [finalizeDatabase, finalizeOpenBao],',
    replace: 'deletion: [finalizeOpenBao],',
  },
  {
    name: 'a backup that was orphaned meanwhile is deleted',
    caughtBy: [
      'steps/finalize-open-bao.test.ts',
      'a backup that the garbage collector has orphaned meanwhile stays as it is',
    ],
    file: 'steps/finalize-open-bao.ts',
    find: 'deleteUnowned(PushSecret, backup, { exact: true })',
    replace: 'deleteUnowned(PushSecret, backup)',
  },
  {
    name: 'the backup of lost keys that was orphaned meanwhile goes at the next refresh',
    caughtBy: [
      'steps/finalize-open-bao.test.ts',
      'the backup of lost keys that the garbage collector has orphaned meanwhile stays as it is',
    ],
    file: 'steps/finalize-open-bao.ts',
    find: 'patch(PushSecret, backup, change, { exact: true })',
    replace: 'patch(PushSecret, backup, change)',
  },
  {
    name: 'a deletion that orphans drops the database',
    caughtBy: ['test/propagation.test.ts', 'with a managed database drops it, unless it orphans: Orphan'],
    file: 'steps/finalize-database.ts',
    find: 'isControlledBy(object, keystone) && !isOrphaning(keystone);',
    replace: "isControlledBy(object, keystone) && isOrphaning.name !== '';",
  },
  {
    name: 'what was orphaned while the deletion of the database is announced is deleted',
    caughtBy: [
      'steps/finalize-database.test.ts',
      'what the garbage collector orphans while the deletion of the database is announced stays as it is',
    ],
    file: 'steps/finalize-database.ts',
    find: 'const object = ours(kind);',
    replace: 'const object = get<WithConditions>(kind, namesOf(keystone).api);',
  },
  {
    name: 'a database that others use is dropped',
    caughtBy: ['steps/finalize-database.test.ts', 'keeps its data when another Keystone uses it'],
    file: 'steps/finalize-database.ts',
    find: 'if (kinds.includes(Database)) await keepSharedDatabase(context);',
    replace: 'if (kinds.length === 0) await keepSharedDatabase(context);',
  },
  {
    name: 'a deleted Keystone takes keys of an earlier version along',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'keys that an earlier version owned are retained, too, and those under the mark of another are not named',
    ],
    file: 'steps/finalize-database.ts',
    find: 'if (keepsKeys(keystone)) await retainKeys(context);',
    replace: 'if (!keepsKeys(keystone)) await retainKeys(context);',
  },
  {
    name: 'a route of an earlier generation counts as accepted',
    caughtBy: [
      'objects/http-route.test.ts',
      'is accepted by its own parent at its current generation, and by nothing else',
    ],
    file: 'objects/http-route.ts',
    find: 'observedGeneration >= (metadata.generation ?? 0)',
    replace: 'observedGeneration >= 0',
  },
  {
    name: 'parameters of the connection of Jobs are shown',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'what Jobs say of their parameters shows in no condition, however the password is written',
    ],
    file: 'steps/db-connection-secret.ts',
    find: '[url, jobParameters, database.password, encodedPassword]',
    replace: '[url, database.password, encodedPassword]',
  },
  {
    name: 'an encoded password is shown',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'what Jobs say of their parameters shows in no condition, however the password is written',
    ],
    file: 'steps/db-connection-secret.ts',
    find: 'database.password, encodedPassword]',
    replace: 'database.password]',
  },
  {
    name: 'what Jobs on the database say is not redacted',
    caughtBy: ['conditions/condition-catalog.test.ts', 'what db-sync pods say of a credential shows in no condition'],
    file: 'steps/database/run-database-job.ts',
    find: 'failed, secrets }',
    replace: 'failed }',
  },
  {
    name: 'a Deployment at 0 stays there under an autoscaler',
    caughtBy: ['steps/autoscaling.test.ts', 'does not leave a Deployment at 0 that somebody scaled so'],
    file: 'objects/replicas.ts',
    find: 'current === 0 ? least : (current ?? 1)',
    replace: 'current ?? 1',
  },
];
