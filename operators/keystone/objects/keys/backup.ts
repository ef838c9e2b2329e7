// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';
import type { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { pushContentHashAnnotation, pushSecret } from '@forge/openstack/secret-store.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import type { Keystone } from '../../api/keystone.ts';
import { commonLabels, keyNamesOf, type KeyType } from '../../api/names.ts';
import { claimOn } from './key-claim.ts';
import { holdsKeys } from './key-format.ts';

/** Whether the content of a production Secret may replace its copy: it has keys of this Keystone, or of its database. */
export function isWorthBackup(secret: Secret | undefined, keystone: Keystone): boolean {
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return false;
  return ['own', 'adoptable'].includes(claimOn(secret, keystone)) && holdsKeys(secret.data ?? {});
}

/** The copy of a production Secret in the secret store; it is deleted with its PushSecret. */
export function backupPushSecret(
  keystone: Keystone,
  keyType: KeyType,
  { store, production }: { store: string; production: Secret },
): PushSecret {
  return backupOf(keystone, keyType, { store, stamp: contentStamp(production), deletionPolicy: 'Delete' });
}

/**
 * The same while the keys are lost. At its next refresh, External Secrets would delete the copy if its source is gone, or
 * overwrite it with whatever replaced the source. These policies forbid both until the keys are back. The stamp stays: a new
 * one would cause a refresh.
 */
export function protectedBackup(keystone: Keystone, keyType: KeyType, store: string, live: PushSecret): PushSecret {
  const stamp = live.metadata.annotations?.[pushContentHashAnnotation] ?? '';
  return backupOf(keystone, keyType, { store, stamp, deletionPolicy: 'None', updatePolicy: 'IfNotExists' });
}

function backupOf(
  keystone: Keystone,
  keyType: KeyType,
  push: Pick<Parameters<typeof pushSecret>[0], 'store' | 'stamp' | 'deletionPolicy' | 'updatePolicy'>,
): PushSecret {
  const { name, namespace } = keystone.metadata;
  const { backup, keys } = keyNamesOf(keystone, keyType);
  const remoteKey = `openstack/keystone/${namespace}/${name}/${keyType}-keys`;
  return pushSecret({ name: backup, labels: commonLabels(keystone), secret: keys, remoteKey, ...push });
}

/**
 * Changes with the keys and with the Secret itself: a Secret that was deleted and restored with the same keys must be pushed
 * again, because External Secrets may have deleted the copy and would not create it again.
 */
function contentStamp({ metadata, data = {} }: Secret): string {
  const entries = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([metadata.uid, entries]))
    .digest('hex');
}

/** Whether a change of a backup matters; a change of its status alone does not. */
export function backupPredicate({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return true;
  return !jsonEqual(settingsOf(before.metadata), settingsOf(after.metadata));
}

/** What people and other controllers set; the generation stands for the spec. */
function settingsOf({ generation, deletionTimestamp, finalizers, ownerReferences, labels, annotations }: ObjectMeta) {
  return { generation, deletionTimestamp, finalizers, ownerReferences, labels, annotations };
}
