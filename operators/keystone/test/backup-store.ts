// SPDX-License-Identifier: Apache-2.0
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { fakeVault, type FakeVault } from '@forge/cluster/stand-ins/external-secrets/fake-vault.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { manager, type Manager } from '@forge/runtime/controller/manager.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { externalSecret } from './external-secrets.ts';
import type { KeystoneOperator } from './start-keystone-operator.ts';

/** The stand-in of External Secrets, with a store for backups. */
export interface BackupStore extends AsyncDisposable {
  vault: FakeVault;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it beside an operator whose cluster has its kinds. */
export async function backupStore({ cluster: { client, clock } }: KeystoneOperator): Promise<BackupStore> {
  const vault = fakeVault();
  const { controllers, backoff } = externalSecrets(vault.reachedBy(clock));
  await client.create(ClusterSecretStore, {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: defaultSecretStore },
    spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
  });
  const log = logger({ clock, write: () => {} });
  let running: Manager | undefined;

  async function start(): Promise<void> {
    running = manager({ client, clock, random: seededRandom(), log, resync: now, backoff });
    for (const controller of controllers) running.add(controller);
    await running.start();
  }

  async function stop(): Promise<void> {
    const ended = running?.stop();
    running = undefined;
    if (ended !== undefined) await clock.advance(seconds(20));
    await ended;
  }

  await start();
  return { vault, start, stop, [Symbol.asyncDispose]: stop };
}

/** Lets External Secrets sync the credentials that a Keystone with a managed database needs. */
export async function syncCredentials({ cluster: { client, clock } }: KeystoneOperator, { vault }: BackupStore) {
  const credentials = {
    'keystone-db': { username: 'keystone', password: 'db-secret' },
    'keystone-admin': { password: 'admin-secret' },
  };
  for (const [name, values] of Object.entries(credentials)) {
    vault.write(`kv-v2/${name}`, values);
    await client.create(ExternalSecret, externalSecret(name, Object.keys(values)));
  }
  await clock.advance(seconds(5));
}
