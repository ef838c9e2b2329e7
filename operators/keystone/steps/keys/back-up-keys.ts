// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { keyNamesOf } from '../../api/names.ts';
import { backupPushSecret } from '../../objects/keys/backup.ts';
import type { KeyContext, KeyRepository } from './key-repository.ts';

/**
 * Asks External Secrets for a copy of the production Secret, where there is a store to copy to. What goes wrong is logged
 * and shows in the backup metric: without a backup a Keystone works as well.
 */
export async function backUpKeys(
  { keyType }: KeyRepository,
  production: Secret,
  { object: keystone, needs, services: { secretStore: store }, get, apply, isInstalled, log }: KeyContext,
): Promise<void> {
  // They came back in this very pass; the next one sees them from the beginning.
  if (needs.protectBackups.lost.includes(keyType)) return;
  if (!isInstalled(PushSecret) || get(ClusterSecretStore, store) === undefined) return;
  if (get(PushSecret, keyNamesOf(keystone, keyType).backup)?.metadata.deletionTimestamp !== undefined) return;
  try {
    await apply(backupPushSecret(keystone, keyType, { store, production }));
  } catch (error) {
    log.warn('cannot ask for a backup of the keys', { error });
  }
}
