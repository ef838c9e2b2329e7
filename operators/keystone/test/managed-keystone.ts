// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import type { Keystone } from '../keystone.ts';
import { keystoneFixture, managedDatabase } from './keystone-fixture.ts';
import { home, type KeystoneOperator } from './keystone-operator.ts';

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
