// SPDX-License-Identifier: Apache-2.0
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { paperVault, type PaperVault } from '@forge/cluster/stand-ins/external-secrets/paper-vault.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { manager, type Manager } from '@forge/runtime/controller/manager.ts';
import { logger } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { now, seconds } from '@forge/runtime/time/duration.ts';
import { defaultSecretStore } from '../step.ts';
import { installKind, type KeystoneOperator } from './keystone-operator.ts';

/** External Secrets, played, with a store for backups. */
export interface BackupStore extends AsyncDisposable {
  vault: PaperVault;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Installs it beside the operator and starts it. */
export async function backupStore({ cluster }: KeystoneOperator): Promise<BackupStore> {
  const { client, clock } = cluster;
  const vault = paperVault();
  const { kinds, controllers, backoff } = externalSecrets(vault.reachedBy(clock));
  for (const kind of kinds) await installKind(cluster, kind);
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
