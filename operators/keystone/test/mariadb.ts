// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { home } from './start-keystone-operator.ts';

/** The kinds of mariadb-operator that the operator reads or writes. */
export const mariadbKinds = [MariaDB, Database, User, Grant];

/** Creates the MariaDB cluster of the tests' namespace, ready or not. */
export async function createMariaDB(client: Client, status: 'True' | 'False' = 'True'): Promise<void> {
  const { apiVersion, kind } = MariaDB;
  const metadata = { namespace: home.namespace, name: 'mariadb' };
  await client.create(MariaDB, { apiVersion, kind, metadata, spec: { storage: { size: '1Gi' } } });
  await setReady(client, MariaDB, status, 'mariadb');
}

/** Sets the status of an object as mariadb-operator would. */
export async function setReady(
  client: Client,
  kind: Kind,
  status: 'True' | 'False' = 'True',
  name = home.name,
): Promise<void> {
  const condition = {
    type: 'Ready',
    status,
    reason: 'Created',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const change = { status: { conditions: [condition] } };
  await client.patch(kind, { ...home, name }, 'merge', change, { subresource: 'status' });
}
