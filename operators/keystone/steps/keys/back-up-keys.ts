// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { keyNamesOf } from '../../names.ts';
import { backupPushSecret } from '../../objects/keys/backup.ts';
import type { KeyContext, KeyRepository } from './key-repository.ts';

/**
 * Asks External Secrets for a copy of the production Secret, where there is a store to copy to. What goes wrong is logged
 * and shows in the backup metric: without a backup a Keystone works as well.
 */
export async function backUpKeys(
  { flavour }: KeyRepository,
  production: Secret,
  { object: keystone, services: { secretStore: store }, get, apply, isInstalled, log }: KeyContext,
): Promise<void> {
  if (!isInstalled(PushSecret) || get(ClusterSecretStore, store) === undefined) return;
  if (get(PushSecret, keyNamesOf(keystone, flavour).backup)?.metadata.deletionTimestamp !== undefined) return;
  try {
    await apply(backupPushSecret(keystone, flavour, { store, production }));
  } catch (error) {
    log.warn('cannot ask for a backup of the keys', { error });
  }
}
