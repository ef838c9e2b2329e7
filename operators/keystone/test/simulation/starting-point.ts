// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { environment, standInKinds, type Environment, type StandInName } from '@forge/simulation/world/environment.ts';
import { prepareCluster } from '@forge/simulation/world/prepare-cluster.ts';
import { world } from '@forge/simulation/world/world.ts';
import { Keystone } from '../../keystone.ts';
import { defaultSecretStore } from '../../step.ts';
import { externalSecret } from '../external-secrets.ts';
import { home } from '../keystone-operator.ts';
import { grantAccess, oneOperator } from './operator.ts';

/** A cluster to start from, with what its dependencies hold. */
export interface StartingPoint {
  readonly server: ApiServer;
  /** Dependencies that hold what they held when this was prepared, with further ones. */
  fork(further?: readonly StandInName[]): Environment;
}

const credentials = {
  'keystone-db': { username: 'keystone', password: 'db-secret' },
  'keystone-admin': { password: 'admin-secret' },
};

/** What no object but a Secret may hold. */
export const secretValues = ['db-secret', 'admin-secret', 'second-secret'];

const newEnvironment = (further: readonly StandInName[] = [], reliable = true): Environment =>
  environment({ standIns: ['external-secrets', 'mariadb-operator', ...further], reliable });

/** A cluster with a Ready MariaDB, a valid secret store and synced credentials, and this Keystone Ready, if any. */
export async function startingPoint(keystone?: Keystone): Promise<StartingPoint> {
  const prepared = newEnvironment();
  for (const [name, values] of Object.entries(credentials)) prepared.vault.write(`kv-v2/${name}`, values);
  const from = await prepareCluster({ kinds: [Keystone, ...standInKinds], setUp: createDependencies });
  const here = await world({ from, environment: prepared, processes: oneOperator });
  await here.settle();
  if (keystone !== undefined) {
    await here.during(here.user.create(Keystone, keystone));
    await here.settle();
    const ready = here.state.find(Keystone, home)?.status?.conditions?.find(({ type }) => type === 'Ready');
    // The bootstrap Job goes by itself.
    await here.advance(minutes(6));
    if (ready?.status !== 'True') throw new Error(`the Keystone to start from is ${JSON.stringify(ready)}`);
  }
  for (const process of here.processes) process.end();
  return { server: here.context.server, fork: (further = []) => forkOf(prepared, further) };
}

/** Fresh dependencies that hold the same, and that faults can meet. */
function forkOf({ vault, sql }: Environment, further: readonly StandInName[]): Environment {
  const fork = newEnvironment(further, false);
  for (const path of vault.paths()) {
    const marked = !Object.keys(credentials).some((name) => path.endsWith(`/${name}`));
    fork.vault.write(path, vault.read(path) ?? {}, { marked });
  }
  const [held, own] = [sql, fork.sql].map((each) => each.server(mariadb));
  for (const [name, database] of held?.databases ?? []) own?.databases.set(name, database);
  for (const [name, user] of held?.users ?? []) own?.users.set(name, user);
  for (const [name, grants] of held?.grants ?? []) own?.grants.set(name, new Map(grants));
  return fork;
}

/** Where the MariaDB of the simulation lives. */
export const mariadb = { ...home, name: 'mariadb' };

async function createDependencies(user: Client): Promise<void> {
  await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });
  await grantAccess(user);
  const { apiVersion, kind } = MariaDB;
  await user.create(MariaDB, { apiVersion, kind, metadata: mariadb, spec: { storage: { size: '1Gi' } } });
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
