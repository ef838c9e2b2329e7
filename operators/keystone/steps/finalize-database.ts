// SPDX-License-Identifier: Apache-2.0
// Three things may outlive a Keystone: a database that another Keystone or Database object shares, the keys of a database that
// stays, and a Job that is changing the schema. The first two are kept: mariadb-operator must not drop a shared database,
// and the garbage collector must not delete keys that a database still needs. The third is stopped, so that a successor of
// the same name never migrates beside it.
//
// What belongs to this Keystone alone is deleted, but not awaited: API pods still hold connections, and they go only after
// this finalizer. An object that mariadb-operator is creating right now gets its finalizer from here, since what it created
// would otherwise stay on the server.
import { Job, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { stateOf } from '@forge/runtime/jobs/run-job.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { isReady, type WithConditions } from '@forge/runtime/objects/ready-condition.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads, readsIndexed } from '@forge/runtime/steps/reads.ts';
import type { ContextOf } from '@forge/runtime/steps/step.ts';
import { Keystone } from '../api/keystone.ts';
import { databaseFinalizer, isOrphaning, keyTypes, keyNamesOf, namesOf } from '../api/names.ts';
import type { Services } from '../clients/services.ts';
import { deletionEvents } from '../conditions/deletion.ts';
import { canonicalAddress, databaseHostOf } from '../objects/backends.ts';
import { claimedMetadata, claimOn, keepsKeys } from '../objects/keys/key-claim.ts';
import { deletionStep } from './step.ts';

type Context = ContextOf<typeof deletionStep>;

const sqlKinds = [Database, User, Grant] satisfies Kind[] as Kind<WithConditions>[];
const objectName = (keystone: Keystone) => [namesOf(keystone).api];
const keyNames = (keystone: Keystone) => keyTypes.map((keyType) => keyNamesOf(keystone, keyType).keys);
const migrationJobs = (keystone: Keystone) => {
  const { dbSync, dbExpand, dbMigrate, dbContract } = namesOf(keystone);
  return [dbSync, dbExpand, dbMigrate, dbContract];
};
const wakesNobody = { predicate: () => false };

/**
 * The part of a database's address that Keystones sharing it have in common; ports do not distinguish databases of one server.
 */
const sharedAs = (keystone: Keystone) => [
  `${canonicalAddress(databaseHostOf(keystone), keystone.metadata.namespace ?? '')}/${keystone.spec.database.database}`,
];

/** Other Keystones with the same database, of whatever namespace. */
const sharers = readsIndexed<Keystone, Services, Keystone>(
  Keystone,
  { wanted: sharedAs, valuesOf: sharedAs },
  wakesNobody,
);

/** Database objects of mariadb-operator on the same server with the same name. */
const sameDatabases = readsIndexed<Keystone, Services, Database>(
  Database,
  {
    wanted: ({ metadata, spec: { database } }) => [
      placeOf(metadata.namespace, database.clusterRef?.name, database.database),
    ],
    valuesOf: ({ metadata, spec: { mariaDbRef, name } }) => [
      placeOf(mariaDbRef.namespace ?? metadata.namespace, mariaDbRef.name, name ?? metadata.name),
    ],
  },
  wakesNobody,
);

/**
 * Deletes the database objects that belong to this very Keystone, without waiting for them: while its pods run, mariadb-operator
 * could not. Where the database stays, so do the keys. A deletion that orphans leaves everything.
 */
export const finalizeDatabase = deletionStep({
  name: 'FinalizeDatabase',
  finalizer: databaseFinalizer,
  owns: [owned(Job, ['remove'])],
  reads: [...sqlKinds.map((kind) => reads(kind, objectName)), sharers, sameDatabases, reads(Secret, keyNames)],
  modifies: [...sqlKinds.map((kind) => modified(kind, 'patch', 'delete')), modified(Secret, 'patch')],
  async run(context) {
    const { object: keystone, get, deleteUnowned, event } = context;
    const ours = (kind: (typeof sqlKinds)[number]) => {
      const object = get<WithConditions>(kind, namesOf(keystone).api);
      const isOurs = object !== undefined && isControlledBy(object, keystone) && !isOrphaning(keystone);
      return isOurs && object.metadata.deletionTimestamp === undefined ? object : undefined;
    };
    const kinds = sqlKinds.filter((kind) => ours(kind) !== undefined);
    if (kinds.length > 0) await event(deletionEvents.finalizingDatabase());
    if (kinds.includes(Database)) await keepSharedDatabase(context);
    await Promise.all(
      kinds.map(async (kind) => {
        // One that the garbage collector has orphaned meanwhile stays, whether the watch has delivered that or not.
        const object = ours(kind);
        if (object === undefined) return;
        await deleteUnowned(kind, await withCleanup(kind, object, context), { exact: true });
      }),
    );
    if (keepsKeys(keystone)) await retainKeys(context);
    await removeMigrations(context);
    return ready({ event: deletionEvents.databaseFinalized() });
  },
});

/**
 * Makes sure that mariadb-operator cleans up after the object, even if it is creating something right now: it adds its
 * finalizer only after the SQL, so what an object deleted in between had created would stay on the server.
 */
async function withCleanup(
  kind: Kind<WithConditions>,
  object: WithConditions,
  { patch }: Context,
): Promise<WithConditions> {
  const finalizer = `${kind.singular}.k8s.mariadb.com/finalizer`;
  const { finalizers = [] } = object.metadata;
  if (isReady(object) || finalizers.includes(finalizer)) return object;
  return await patch(kind, object, { metadata: { finalizers: [...finalizers, finalizer] } }, { exact: true });
}

/**
 * Deletes Jobs that may be changing the schema, their pods first: while such a Job is there, a successor of the same name waits,
 * and two migrations never run on one database.
 */
async function removeMigrations({ object: keystone, get, remove }: Context): Promise<void> {
  for (const name of migrationJobs(keystone)) {
    const job = get(Job, name);
    if (job !== undefined && stateOf(job) === 'running') await remove(Job, name, { propagation: 'Foreground' });
  }
}

/** Keeps mariadb-operator from dropping a database that somebody else uses. */
async function keepSharedDatabase({ object: keystone, get, select, patch }: Context): Promise<void> {
  const database = get(Database, namesOf(keystone).api);
  if (database === undefined) return;
  const { uid } = keystone.metadata;
  const others = [
    ...select(sharers).filter(({ metadata }) => metadata.uid !== uid && metadata.deletionTimestamp === undefined),
    // One that is terminating, and its database with it, needs nothing any more.
    ...select(sameDatabases).filter(
      ({ metadata, spec }) =>
        metadata.uid !== database.metadata.uid &&
        (metadata.deletionTimestamp === undefined || spec.cleanupPolicy === 'Skip'),
    ),
  ];
  if (others.length > 0) await patch(Database, database, { spec: { cleanupPolicy: 'Skip' } });
}

/** Keeps the garbage collector from deleting the keys, and reports which ones stay. */
async function retainKeys({ object: keystone, get, patch, event }: Context): Promise<void> {
  const retained: string[] = [];
  for (const name of keyNames(keystone)) {
    const secret = get(Secret, name);
    if (secret === undefined || claimOn(secret, keystone) !== 'own') continue;
    await patch(Secret, secret, { metadata: claimedMetadata(keystone, secret) }, { exact: true });
    retained.push(name);
  }
  const [a, b] = retained;
  if (a !== undefined && b !== undefined) await event(deletionEvents.keysRetained({ a, b }));
  else if (a !== undefined) await event(deletionEvents.oneKeyRetained({ a }));
}

/** Server and name of a database. */
function placeOf(namespace: string | undefined, server: string | undefined, name: string): string {
  return `${namespace}/${server}/${name}`;
}
