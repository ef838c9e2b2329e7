// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../api/keystone.ts';
import { createSyncedCredentials } from './external-secrets.ts';
import { keystoneFixture, managedDatabase } from './keystone-fixture.ts';
import { setReady } from './mariadb.ts';
import { home, type KeystoneOperator } from './start-keystone-operator.ts';

/** The messages of DatabaseReady until mariadb-operator has created the database, and then its account. */
export const databaseNotReady = 'WaitingForDatabase: MariaDB Database CR is not ready';
export const accountNotReady = 'WaitingForDatabase: MariaDB User or Grant CR is not ready';

/** A Keystone whose database mariadb-operator runs. */
export const managedFixture = (name = home.name): Keystone => {
  const keystone = keystoneFixture({ database: managedDatabase });
  return { ...keystone, metadata: { ...keystone.metadata, name } };
};

/** Creates the Database, User and Grant of a Keystone that exists, all ready, the first held by mariadb-operator. */
export async function createDatabaseObjects({ cluster: { client } }: KeystoneOperator, owner: Keystone): Promise<void> {
  const apiVersion = 'k8s.mariadb.com/v1alpha1';
  const mariaDbRef = { name: 'mariadb' };
  const metadata = { ...home, ownerReferences: [controllerReference(owner)] };
  await client.create(Database, {
    apiVersion,
    kind: 'Database',
    metadata: { ...metadata, finalizers: ['database.k8s.mariadb.com/finalizer'] },
    spec: { mariaDbRef, name: 'keystone' },
  });
  await client.create(User, { apiVersion, kind: 'User', metadata, spec: { mariaDbRef } });
  const grant = { mariaDbRef, privileges: ['ALL PRIVILEGES'], username: 'identity' };
  await client.create(Grant, { apiVersion, kind: 'Grant', metadata, spec: grant });
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const ready = { type: 'Ready', status: 'True', reason: 'Created', message: 'Created', lastTransitionTime };
  const status = { conditions: [ready] };
  for (const kind of [Database, User, Grant] satisfies Kind[] as Kind[])
    await client.patch(kind, home, 'merge', { status }, { subresource: 'status' });
}

/** Creates the Keystone, with credentials that External Secrets has synced. */
export async function createManaged(operator: KeystoneOperator): Promise<void> {
  await createSyncedCredentials(operator);
  await operator.cluster.client.create(Keystone, keystoneFixture({ database: managedDatabase }));
}

/** Acts as mariadb-operator until the schema can be synced. */
export async function provision(operator: KeystoneOperator): Promise<void> {
  const { client } = operator.cluster;
  await operator.untilCondition('DatabaseReady', databaseNotReady);
  await setReady(client, Database);
  await operator.untilCondition('DatabaseReady', accountNotReady);
  await setReady(client, User);
  await operator.cluster.clock.until(async () => (await client.find(Grant, home)) !== undefined);
  assert.equal(await operator.condition('DatabaseReady'), accountNotReady);
  await setReady(client, Grant);
}
