// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { OwnerReference } from '@forge/kube/objects/object.ts';
import { controllerOf, controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import type { Keystone } from '../../keystone.ts';
import { keysForAnnotation } from '../../names.ts';
import { databaseAddressOf } from '../backends.ts';

/** Digest of the database that a Keystone's keys belong to. */
export const keysForOf = (keystone: Keystone): string =>
  createHash('sha256').update(databaseAddressOf(keystone)).digest('hex');

/** Whether keys outlive their Keystone: where it does not delete the database, either. */
export const keepsKeys = ({ spec }: Keystone): boolean => spec.database.host !== undefined;

/**
 * What a Keystone may do with a production Secret that exists: it is its own, or nobody's and of its database, or nobody's
 * and of another one. `orphaned` is about to go with an earlier Keystone although its database stays; `refused` belongs to
 * somebody else, or goes with an earlier Keystone as it should.
 */
type KeyClaim = 'own' | 'adoptable' | 'ofAnotherDatabase' | 'orphaned' | 'refused';

/** How the Secret stands to the Keystone. */
export function claimOn(secret: Secret, keystone: Keystone): KeyClaim {
  const { uid } = keystone.metadata;
  const { annotations = {} } = secret.metadata;
  const controller = controllerOf(secret);
  if (controller?.uid === uid || annotations[ownerAnnotation] === uid) return 'own';
  const keysFor = annotations[keysForAnnotation];
  const isOfDatabase = keysFor === keysForOf(keystone);
  if (controller === undefined) return isOfDatabase ? 'adoptable' : 'ofAnotherDatabase';
  const isOfEarlier = isKeystone(controller, keystone) && controller.name === keystone.metadata.name;
  if (!isOfEarlier || !keepsKeys(keystone)) return 'refused';
  if (isOfDatabase) return 'adoptable';
  return keysFor === undefined ? 'orphaned' : 'refused';
}

/** What the metadata of the Keystone's production Secrets must say, as a change: whose they are, and of which database. */
export function claimedMetadata(keystone: Keystone, secret: Secret) {
  const keeps = keepsKeys(keystone);
  const { ownerReferences } = unownedMetadata(keystone, secret);
  return {
    ownerReferences: keeps ? ownerReferences : [...(ownerReferences ?? []), controllerReference(keystone)],
    annotations: {
      [ownerAnnotation]: keeps ? (keystone.metadata.uid ?? null) : null,
      [keysForAnnotation]: keysForOf(keystone),
    },
  };
}

/** The change that keeps a Secret from being deleted with any Keystone. */
export function unownedMetadata(keystone: Keystone, { metadata }: Secret) {
  const others = (metadata.ownerReferences ?? []).filter((owner) => !isKeystone(owner, keystone));
  return { ownerReferences: others.length === 0 ? null : others };
}

function isKeystone({ kind, apiVersion }: OwnerReference, keystone: Keystone): boolean {
  return kind === keystone.kind && apiVersion.split('/')[0] === keystone.apiVersion.split('/')[0];
}
