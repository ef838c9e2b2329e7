// SPDX-License-Identifier: Apache-2.0
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { fakeVault, type FakeVault } from '@forge/cluster/stand-ins/external-secrets/fake-vault.ts';
import { fakeKeystones, type FakeKeystone } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { korc } from '@forge/cluster/stand-ins/korc/korc.ts';
import { fakeSql } from '@forge/cluster/stand-ins/mariadb/fake-sql.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { memcachedOperator } from '@forge/cluster/stand-ins/memcached.ts';
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { now } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { restartable, type Restartable } from '@forge/testing/restartable.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { home } from './control-plane-fixture.ts';
import { playedKeystoneOperator } from './played-keystone.ts';

const names = ['mariadb', 'memcached', 'externalSecrets', 'keystone', 'korc'] as const;

/** The name of a neighbour. */
export type NeighbourName = (typeof names)[number];

/** What the operator works with, without the operator: a cluster, its neighbours, and the secret store. */
export interface Neighbourhood extends AsyncDisposable {
  cluster: TestCluster;
  vault: FakeVault;
  /** The Keystone of the fixture, bootstrapped with the password in the secret store. */
  keystone: FakeKeystone;
  /** How Keystones are reached. */
  http: Pick<HttpClient, 'send'>;
  /** The stand-ins of other operators. */
  neighbours: Readonly<Record<NeighbourName, Restartable>>;
}

/** The passwords in the secret store. */
export const passwords = { database: 'db-secret', admin: 'admin-secret' };

/** Paths of the fixture's credentials in the secret store. */
export const paths = {
  database: `kv-v2/openstack/keystone/${home.namespace}/${home.name}/db`,
  adminPassword: `kv-v2/bootstrap/${home.namespace}/${home.name}-keystone/admin`,
  applicationCredential: `kv-v2/openstack/keystone/${home.namespace}/${home.name}/admin/app-credential`,
};

/** Starts a cluster with these kinds and starts those of the neighbours that are wanted; the others can be started later. */
export async function neighbourhood({
  kinds,
  wanted = names,
}: {
  kinds: readonly Kind[];
  wanted?: readonly NeighbourName[] | undefined;
}): Promise<Neighbourhood> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await testCluster());
  const { client, clock } = cluster;
  for (const kind of kinds) await installKind(cluster, kind);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });

  const vault = fakeVault();
  vault.write(paths.database, { username: 'keystone', password: passwords.database });
  vault.write(paths.adminPassword, { password: passwords.admin });
  const keystones = fakeKeystones();
  const keystone = keystones.at(`${home.name}-keystone.${home.namespace}.svc`);
  keystone.bootstrap({ password: passwords.admin });
  const http = keystones.reachedBy(clock);
  const sql = fakeSql();
  const neighbours = {
    mariadb: neighbour(cluster, () => mariadbOperator(sql.reachedBy(clock))),
    memcached: neighbour(cluster, memcachedOperator),
    externalSecrets: neighbour(cluster, () => externalSecrets(vault.reachedBy(clock))),
    keystone: neighbour(cluster, playedKeystoneOperator),
    korc: neighbour(cluster, () => korc(() => http, clock)),
  };
  for (const name of names) stack.defer(() => neighbours[name].stop());
  if (kinds.includes(ClusterSecretStore)) {
    await client.create(ClusterSecretStore, {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ClusterSecretStore',
      metadata: { name: defaultSecretStore },
      spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
    });
  }
  for (const name of wanted) await neighbours[name].start();
  const owned = stack.move();
  return { cluster, vault, keystone, http, neighbours, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** It remembers nothing from one start to the next. */
function neighbour({ client, clock }: TestCluster, standIn: () => StandIn): Restartable {
  const log = logger({ clock, write: () => {} });
  return restartable(clock, () => {
    const { controllers, backoff } = standIn();
    const running = manager({ client, clock, random: seededRandom(), log, resync: now, backoff });
    for (const controller of controllers) running.add(controller);
    return running;
  });
}
