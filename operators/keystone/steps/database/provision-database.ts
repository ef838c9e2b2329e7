// SPDX-License-Identifier: Apache-2.0
import { Deployment } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import { isControlledBy, isOfEarlierOwner } from '@forge/runtime/objects/owner-reference.ts';
import { isReady, type WithConditions } from '@forge/runtime/objects/ready-condition.ts';
import { blocked, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { Keystone } from '../../api/keystone.ts';
import { namesOf } from '../../api/names.ts';
import type { Services } from '../../clients/services.ts';
import { databaseReady } from '../../conditions/database.ts';
import { mariadbDatabase, mariadbGrant, mariadbUser } from '../../objects/mariadb.ts';
import type { DatabaseContext, DatabaseOutcome } from './database-context.ts';

/** The MariaDB cluster of a managed database; only its readiness matters. */
export const clusterReads = reads<Keystone, Services, MariaDB>(
  MariaDB,
  ({ spec: { database } }) => (database.clusterRef === undefined ? [] : [database.clusterRef.name]),
  { predicate: ({ before, after }: Change<MariaDB>) => isUsable(before) !== isUsable(after) },
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

/** The field in which spec differs from the Database that has the data: mariadb-operator can neither rename nor move it. */
function moveOf({ object: keystone, get }: DatabaseContext): { field: string; from: string; to: string } | undefined {
  const { database: wanted } = keystone.spec;
  const { api: name } = namesOf(keystone);
  const live = get(Database, name);
  if (live === undefined || !isControlledBy(live, keystone)) return undefined;
  const changes = [
    { field: 'clusterRef.name', from: live.spec.mariaDbRef.name, to: wanted.clusterRef?.name },
    { field: 'database', from: live.spec.name ?? name, to: wanted.database },
  ];
  const change = changes.find(({ from, to }) => from !== to);
  return change && { field: change.field, from: change.from ?? '', to: change.to ?? '' };
}

/** Applies the parts up to the first that is not ready; returns what is reported about that one. */
async function missingPart(clusterRef: { name: string }, context: DatabaseContext): Promise<Statement | undefined> {
  const { object: keystone, needs, get } = context;
  const server = get(MariaDB, clusterRef.name);
  if (server === undefined || !isUsable(server)) return databaseReady.clusterNotReady({ cluster: clusterRef.name });
  const connectionDigest = needs.dbConnection.digest;
  const deployment = get(Deployment, namesOf(keystone).api);
  const user = mariadbUser(keystone, server, { connectionDigest, deployment });
  return (
    (await provision(Database, mariadbDatabase(keystone, server), databaseReady.databaseNotReady(), context)) ??
    (await provision(User, user, databaseReady.accountNotReady(), context)) ??
    (await provision(Grant, mariadbGrant(keystone, server), databaseReady.accountNotReady(), context))
  );
}

/**
 * Applies the object; nothing once it is ready. One that is terminating, or belongs to an earlier Keystone of the name, is
 * awaited: its data is deleted with it.
 */
async function provision<R extends WithConditions>(
  kind: Kind<R>,
  desired: R,
  notReady: Statement,
  { object, get, apply }: DatabaseContext,
): Promise<Statement | undefined> {
  const { name } = desired.metadata;
  const live = get(kind, name);
  if (live?.metadata.deletionTimestamp !== undefined) return databaseReady.terminating({ kind: kind.kind, name });
  if (live !== undefined && isOfEarlierOwner(live, object)) return notReady;
  return isUsable(await apply(desired)) ? undefined : notReady;
}

/** What is terminating may still be reported as ready. */
function isUsable(object: WithConditions | undefined): boolean {
  return isReady(object) && object?.metadata.deletionTimestamp === undefined;
}
