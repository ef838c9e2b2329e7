// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { Process } from '@forge/simulation/scenario/scenario.ts';
import { standInKinds, type Environment } from '@forge/simulation/world/environment.ts';
import { healthy, standInProcess } from '@forge/simulation/world/stand-in-process.ts';
import { startingPoint, type StartingPoint } from '@forge/simulation/world/starting-point.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { home } from '../control-plane-fixture.ts';
import { ownKinds } from '../controllers.ts';
import { passwords, paths } from '../neighbours.ts';
import { playedKeystoneOperator } from '../played-keystone.ts';
import { secret } from '../start-control-plane-operator.ts';
import { grantAccess, oneOperator } from './operator.ts';

/** Where the Keystone of the simulation is reached. */
export const keystoneHost = `${home.name}-keystone.${home.namespace}.svc`;

/** Where the database of a ControlPlane is. */
export type Mode = 'managed' | 'brownfield';

/** The dependencies besides the keystone operator. */
const standIns = {
  managed: ['external-secrets', 'mariadb-operator', 'memcached-operator', 'korc'],
  brownfield: ['external-secrets', 'korc'],
} as const;

/** A cluster with a valid secret store, and this ControlPlane Ready, if any. */
export function controlPlaneStart(mode: Mode, controlPlane?: ControlPlane): Promise<StartingPoint> {
  return startingPoint({
    kinds: [...ownKinds, Keystone, ...standInKinds],
    setUp: createDependencies,
    standIns: standIns[mode],
    workloads: mode === 'managed',
    fill({ vault }) {
      vault.write(paths.database, { username: 'keystone', password: passwords.database });
      vault.write(paths.adminPassword, { password: passwords.admin });
    },
    processes: ({ keystones }) => [keystoneOperator(keystones), ...oneOperator({ keystones, minted: () => 0 })],
    install: controlPlane && { create: (user) => user.create(ControlPlane, controlPlane), problemOf },
  });
}

function problemOf(state: ClusterState): string | undefined {
  const { conditions = [] } = state.find(ControlPlane, home)?.status ?? {};
  const untrue = conditions.filter(({ status }) => status !== 'True');
  return conditions.length > 0 && untrue.length === 0 ? undefined : JSON.stringify(untrue);
}

/** The played keystone operator, whose Keystones are bootstrapped. */
export function keystoneOperator(keystones: Environment['keystones']): Process {
  return standInProcess(
    'keystone-operator',
    (host) =>
      playedKeystoneOperator(({ spec: { bootstrap } }, password) =>
        host.outside('MariaDB', () => {
          const { region, publicEndpoint: publicUrl } = bootstrap;
          keystones.at(keystoneHost).bootstrap({
            password,
            region,
            ...(publicUrl !== undefined && { publicUrl }),
          });
        }),
      ),
    healthy(),
    { reliable: false },
  );
}

async function createDependencies(user: Client): Promise<void> {
  await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });
  await grantAccess(user);
  // External Secrets writes `tls` when it first writes the status.
  const vault = { server: 'https://openbao:8200', path: 'kv-v2', tls: {} };
  await user.create(ClusterSecretStore, {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: defaultSecretStore },
    spec: { provider: { vault } },
  });
  // Those of a database that is the user's own.
  await user.create(Secret, secret('keystone-db', { username: 'keystone', password: passwords.database }));
  await user.create(Secret, secret('keystone-admin', { password: passwords.admin }));
}
