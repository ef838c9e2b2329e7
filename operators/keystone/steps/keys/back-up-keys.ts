// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { keyNamesOf } from '../../names.ts';
import { backupPushSecret, protectedBackup } from '../../objects/keys/backup.ts';
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
  await attempt(backupPushSecret(keystone, flavour, { store, production }), { apply, log });
}

/** Keeps the copy of keys that are missing: it is what they are restored from. */
export async function protectBackup(
  { flavour }: KeyRepository,
  { object: keystone, services: { secretStore: store }, get, apply, log }: KeyContext,
): Promise<void> {
  const live = get(PushSecret, keyNamesOf(keystone, flavour).backup);
  if (live === undefined || live.metadata.deletionTimestamp !== undefined || !isControlledBy(live, keystone)) return;
  await attempt(protectedBackup(keystone, flavour, store, live), { apply, log });
}

async function attempt(backup: PushSecret, { apply, log }: Pick<KeyContext, 'apply' | 'log'>): Promise<void> {
  try {
    await apply(backup);
  } catch (error) {
    log.warn('cannot ask for a backup of the keys', { error });
  }
}
