// SPDX-License-Identifier: Apache-2.0
import { Deployment } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import { controllerOf, isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { blocked, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { databaseReady } from '../../contract/database.ts';
import type { Keystone } from '../../keystone.ts';
import { namesOf } from '../../names.ts';
import { mariadbDatabase, mariadbGrant, mariadbUser } from '../../objects/mariadb.ts';
import type { Services } from '../../step.ts';
import type { DatabaseContext, DatabaseOutcome } from './database-context.ts';

type Conditioned = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

/** The MariaDB cluster of a managed database; only its readiness matters. */
export const clusterReads = reads<Keystone, Services, MariaDB>(
  MariaDB,
  ({ spec: { database } }) => (database.clusterRef === undefined ? [] : [database.clusterRef.name]),
  { predicate: ({ before, after }: Change<MariaDB>) => isReady(before) !== isReady(after) },
);

/** Creates database, account and privileges one after the other; nothing once all are ready. */
export async function provisionDatabase(context: DatabaseContext): Promise<DatabaseOutcome | undefined> {
  const { clusterRef } = context.object.spec.database;
  if (clusterRef === undefined) return undefined;
  const move = moveOf(context);
  if (move !== undefined) return blocked(databaseReady.immutable(move));
  const missing = await missingPart(clusterRef, context);
  return missing && waiting(missing);
}

/** What spec names another of than the Database that holds the data: mariadb-operator neither renames nor moves one. */
function moveOf({ object: keystone, get }: DatabaseContext): { field: string; from: string; to: string } | undefined {
  const { metadata, spec: wanted } = mariadbDatabase(keystone);
  const live = get(Database, metadata.name);
  if (live === undefined || !isControlledBy(live, keystone)) return undefined;
  const changes = [
    { field: 'clusterRef.name', from: live.spec.mariaDbRef.name, to: wanted.mariaDbRef.name },
    { field: 'database', from: live.spec.name ?? metadata.name, to: wanted.name },
  ];
  const change = changes.find(({ from, to }) => from !== to);
  return change && { field: change.field, from: change.from ?? '', to: change.to ?? '' };
}

/** Applies the parts up to the first that is not ready; gives what is said of that. */
async function missingPart(clusterRef: { name: string }, context: DatabaseContext): Promise<Statement | undefined> {
  const { object: keystone, needs, get } = context;
  if (!isReady(get(MariaDB, clusterRef.name))) return databaseReady.clusterNotReady({ cluster: clusterRef.name });
  const connectionDigest = needs.dbConnection.digest;
  const deployment = get(Deployment, namesOf(keystone).api);
  const user = mariadbUser(keystone, { connectionDigest, deployment });
  return (
    (await provision(Database, mariadbDatabase(keystone), databaseReady.databaseNotReady(), context)) ??
    (await provision(User, user, databaseReady.accountNotReady(), context)) ??
    (await provision(Grant, mariadbGrant(keystone), databaseReady.accountNotReady(), context))
  );
}

/**
 * Applies the object; nothing once it is ready. One that is terminating, or that an earlier Keystone of the name left, is
 * awaited: its data goes.
 */
async function provision<R extends Conditioned>(
  kind: Kind<R>,
  desired: R,
  notReady: Statement,
  { object, get, apply }: DatabaseContext,
): Promise<Statement | undefined> {
  const { name } = desired.metadata;
  const live = get(kind, name);
  if (live?.metadata.deletionTimestamp !== undefined) return databaseReady.terminating({ kind: kind.kind, name });
  if (live !== undefined && isOfEarlier(live, object)) return notReady;
  return isReady(await apply(desired)) ? undefined : notReady;
}

/** Whether an earlier Keystone of the same name controls the object: it is about to be garbage-collected. */
export function isOfEarlier(live: KubeObject, { kind, metadata }: Keystone): boolean {
  const owner = controllerOf(live);
  return owner?.kind === kind && owner.name === metadata.name && owner.uid !== metadata.uid;
}

function isReady(object: Conditioned | undefined): boolean {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return false;
  return object.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}
