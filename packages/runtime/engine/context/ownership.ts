// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import {
  controllerOf,
  controllerReference,
  isOfEarlierOwner,
  ownerAnnotation,
  ownerUidsOf,
} from '../../objects/owner-reference.ts';
import { StaleCacheError } from '../../queue/reconcile-error.ts';
import type { Ownership } from '../../steps/step-context.ts';
import { WriteRejected } from './write-rejected.ts';

/** The object as its owner writes it: in the owner's namespace, with the owner reference or annotation. */
export function ownedBy<R extends KubeObject>(desired: R, owner: KubeObject, { retainOnDelete = false }: Ownership): R {
  const { namespace } = owner.metadata;
  const elsewhere = desired.metadata.namespace ?? namespace;
  if (!retainOnDelete && namespace !== undefined && elsewhere !== namespace) {
    const what = `${desired.kind} ${desired.metadata.name} in ${elsewhere}`;
    throw new Error(`${nameOf(owner)} in ${namespace} cannot own ${what}: the garbage collector would delete it`);
  }
  const { annotations } = desired.metadata;
  const metadata = retainOnDelete
    ? { annotations: { ...annotations, [ownerAnnotation]: owner.metadata.uid ?? '' } }
    : { ownerReferences: [controllerReference(owner)] };
  return {
    ...desired,
    metadata: { ...(namespace !== undefined && { namespace }), ...desired.metadata, ...metadata },
  };
}

/** Whether the object belongs to this owner, not to another of its name. */
export function isOwnedBy(live: KubeObject, { metadata: { uid } }: KubeObject): boolean {
  return uid !== undefined && ownerUidsOf(live).includes(uid);
}

/** The object, provided that it belongs to this resource. */
export function checkOwned<R extends KubeObject>(live: R, owner: KubeObject): R {
  if (isOwnedBy(live, owner)) return live;
  checkNotOrphaned(live, owner);
  throw new WriteRejected(live, `it exists but is not controlled by ${nameOf(owner)}: delete or rename it`);
}

/** The object, provided that it belongs to this resource or to none; `others` are existing owners by annotation. */
export function checkAdoptable<R extends KubeObject>(live: R, owner: KubeObject, others: readonly KubeObject[]): R {
  if (isOwnedBy(live, owner)) return live;
  checkNotOrphaned(live, owner);
  const holder = controllerOf(live) ?? others.map(({ kind, metadata }) => ({ kind, name: metadata.name }))[0];
  if (holder === undefined) return live;
  throw new WriteRejected(live, `it belongs to ${holder.kind} ${holder.name}: delete or rename it`);
}

/** Throws for an object of an earlier resource of the same name: it is about to be garbage-collected, then ours can be created. */
function checkNotOrphaned(live: KubeObject, owner: KubeObject): void {
  if (!isOfEarlierOwner(live, owner)) return;
  const what = `${live.kind} ${live.metadata.name}`;
  throw new StaleCacheError(`${what} belongs to an earlier ${nameOf(owner)} and is about to be deleted`);
}

/** Kind and name: `Keystone main`. */
function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
