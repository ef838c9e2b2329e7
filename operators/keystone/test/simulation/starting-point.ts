// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { standInKinds } from '@forge/simulation/world/environment.ts';
import { startingPoint, type StartingPoint } from '@forge/simulation/world/starting-point.ts';
import { Keystone } from '../../api/keystone.ts';
import { externalSecret } from '../external-secrets.ts';
import { home } from '../start-keystone-operator.ts';
import { grantAccess, oneOperator } from './operator.ts';

const credentials = {
  'keystone-db': { username: 'keystone', password: 'db-secret' },
  'keystone-admin': { password: 'admin-secret' },
};

/** Values that only Secrets may contain. */
export const secretValues = ['db-secret', 'admin-secret', 'second-secret'];

/** A cluster with a Ready MariaDB, a valid secret store and synced credentials, and this Keystone Ready, if any. */
export function keystoneStart(keystone?: Keystone): Promise<StartingPoint> {
  return startingPoint({
    kinds: [Keystone, ...standInKinds],
    setUp: createDependencies,
    standIns: ['external-secrets', 'mariadb-operator'],
    fill({ vault }) {
      for (const [name, values] of Object.entries(credentials)) vault.write(`kv-v2/${name}`, values);
    },
    processes: () => oneOperator,
    install: keystone && {
      create: (user) => user.create(Keystone, keystone),
      problemOf,
      // The bootstrap Job is deleted by its TTL.
      rest: minutes(6),
    },
  });
}

function problemOf(state: ClusterState): string | undefined {
  const ready = state.find(Keystone, home)?.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? undefined : JSON.stringify(ready);
}

/** Where the MariaDB of the simulation lives. */
export const mariadb = { ...home, name: 'mariadb' };

/** Creates it. */
export async function createMariaDB(user: Client): Promise<void> {
  const { apiVersion, kind } = MariaDB;
  await user.create(MariaDB, { apiVersion, kind, metadata: mariadb, spec: { storage: { size: '1Gi' } } });
}

async function createDependencies(user: Client): Promise<void> {
  await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });
  await grantAccess(user);
  await createMariaDB(user);
  // External Secrets writes `tls` when it first writes the status.
  const vault = { server: 'https://openbao:8200', path: 'kv-v2', tls: {} };
  await user.create(ClusterSecretStore, {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: defaultSecretStore },
    spec: { provider: { vault } },
  });
  for (const [name, values] of Object.entries(credentials)) {
    await user.create(ExternalSecret, externalSecret(name, Object.keys(values)));
  }
}
