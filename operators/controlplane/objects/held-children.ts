// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, OwnerReference } from '@forge/kube/objects/object.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { namesOf } from '../api/names.ts';
import { cacheClusterOf, databaseClusterOf } from '../api/settings.ts';

/**
 * Keystone and what it depends on. They have a second owner, the login by password. When a ControlPlane is deleted in the
 * foreground, the garbage collector therefore deletes them only with the login, once the credential is revoked.
 */
export const heldPlaces: readonly { kind: Kind; names: (controlPlane: ControlPlane) => readonly string[] }[] = [
  { kind: Keystone, names: (controlPlane) => [namesOf(controlPlane).keystone] },
  { kind: MariaDB, names: (controlPlane) => [databaseClusterOf(controlPlane)].filter((name) => name !== undefined) },
  { kind: Memcached, names: (controlPlane) => [cacheClusterOf(controlPlane)].filter((name) => name !== undefined) },
];

/** The reference that holds an object as long as the login exists. */
export function holdBy({ apiVersion, kind, metadata: { name, uid = '' } }: Secret): OwnerReference {
  return { apiVersion, kind, name, uid };
}

/** Whether an owner is the login by password, this one or an earlier one of the name. */
export function isHold({ kind, name }: OwnerReference, controlPlane: ControlPlane): boolean {
  return kind === 'Secret' && name === namesOf(controlPlane).passwordCloud;
}

/** Whether the login of an earlier ControlPlane is the only owner of the object, which is deleted with it. */
export function isHeldOnly({ metadata: { ownerReferences = [] } }: KubeObject, controlPlane: ControlPlane): boolean {
  return ownerReferences.length > 0 && ownerReferences.every((owner) => isHold(owner, controlPlane));
}
