// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, Pod, Secret, Service } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import {
  ApplicationCredential,
  Domain,
  Endpoint,
  Service as CatalogService,
  User,
} from '@forge/kube/third-party/korc.ts';
import { Database, Grant, MariaDB, User as DatabaseUser } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';

const kinds: readonly Kind[] = [
  Keystone,
  MariaDB,
  Memcached,
  Database,
  DatabaseUser,
  Grant,
  ExternalSecret,
  PushSecret,
  ApplicationCredential,
  Domain,
  User,
  CatalogService,
  Endpoint,
  Deployment,
  Pod,
  Service,
  Secret,
];

/**
 * Objects that a deleted ControlPlane left in its namespace, except the root password of its database, which has no
 * owner.
 */
export async function remainsOf(client: Client, namespace: string): Promise<string[]> {
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace })));
  return lists
    .flatMap(({ items }, index) => items.map(({ metadata }) => `${kinds[index]?.kind} ${metadata.name}`))
    .filter((each) => each !== 'Secret openstack-db-root');
}
