// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { controllerOf, controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import type { Keystone } from '../../api/keystone.ts';
import { keysForAnnotation } from '../../api/names.ts';
import { databaseAddressOf } from '../backends.ts';

/** Digest of the database that a Keystone's keys belong to. */
export const keysForOf = (keystone: Keystone): string =>
  createHash('sha256').update(databaseAddressOf(keystone)).digest('hex');

/** Whether keys outlive their Keystone: where it does not delete the database, either. */
export const keepsKeys = ({ spec }: Keystone): boolean => spec.database.host !== undefined;

/**
 * What a Keystone may do with an existing production Secret. It is its own; or it has no owner, and its keys belong to the
 * Keystone's database or to another one. A Secret that is `controlled` by somebody else, including an earlier Keystone of the
 * name, is left alone.
 */
type KeyClaim = 'own' | 'adoptable' | 'ofAnotherDatabase' | 'controlled';

/** The claim of the Keystone on the Secret. */
export function claimOn(secret: Secret, keystone: Keystone): KeyClaim {
  const { uid } = keystone.metadata;
  const { annotations = {} } = secret.metadata;
  const controller = controllerOf(secret);
  if (controller?.uid === uid || annotations[ownerAnnotation] === uid) return 'own';
  if (controller !== undefined) return 'controlled';
  return annotations[keysForAnnotation] === keysForOf(keystone) ? 'adoptable' : 'ofAnotherDatabase';
}

/** The change of a production Secret's metadata that records its owner and its database. */
export function claimedMetadata(keystone: Keystone, { metadata }: Secret) {
  const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== keystone.metadata.uid);
  const owners = keepsKeys(keystone) ? others : [...others, controllerReference(keystone)];
  return {
    ownerReferences: owners.length === 0 ? null : owners,
    annotations: {
      [ownerAnnotation]: keepsKeys(keystone) ? (keystone.metadata.uid ?? null) : null,
      [keysForAnnotation]: keysForOf(keystone),
    },
  };
}
