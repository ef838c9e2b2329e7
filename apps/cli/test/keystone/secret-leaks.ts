// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { secretLeaks as leaksIn } from '@forge/testing/programs/secret-leaks.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { canaries, canaryCore } from './tenant.ts';

const kinds: readonly Kind[] = [
  Keystone,
  MariaDB,
  Database,
  User,
  Grant,
  Memcached,
  ExternalSecret,
  PushSecret,
  ClusterSecretStore,
];

/** Where secret values of the cluster, and those that tests generated before, appear outside of Secrets. */
export async function secretLeaks(
  cluster: Pick<LocalKeystones, 'client' | 'data' | 'dial' | 'operator'>,
): Promise<string[]> {
  const cores = [...canaries].flatMap((value) => canaryCore.exec(value) ?? []);
  return await leaksIn({ ...cluster, kinds, logs: cluster.data.path('logs') }, [...canaries, ...cores]);
}
