// SPDX-License-Identifier: Apache-2.0
import type { KubeObject, OwnerReference } from '@forge/kube/objects/object.ts';

/** Annotation of an object that belongs to a resource but outlives it: the resource's uid. */
export const ownerAnnotation = 'forge.c5c3.io/owner-uid';

/** The reference to the one owner that controls the object. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller);
}

/** Whether this very owner, not another of its name, controls the object. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/**
 * Whether an earlier owner of the same kind and name controls the object: the garbage collector is about to delete it. Where a
 * namespace has one owner at a time, the earlier one may have had any name.
 */
export function isOfEarlierOwner(
  object: KubeObject,
  { kind, metadata }: KubeObject,
  { underAnyName = false } = {},
): boolean {
  const controller = controllerOf(object);
  const isOfName = underAnyName || controller?.name === metadata.name;
  return controller?.kind === kind && isOfName && controller.uid !== metadata.uid;
}

/** The uids of the object's owners: its controller, and the owner named by annotation. */
export function ownerUidsOf(object: KubeObject): string[] {
  const uids = [controllerOf(object)?.uid, object.metadata.annotations?.[ownerAnnotation]];
  return [...new Set(uids.filter((uid) => uid !== undefined))];
}

/** The reference that makes `owner` the controller of an object. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name, uid } = owner.metadata;
  if (uid === undefined) throw new Error(`${owner.kind} ${name} has no uid: only a stored object can own others`);
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}
