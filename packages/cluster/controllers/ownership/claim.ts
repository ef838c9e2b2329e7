// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector } from '@forge/kube/generated/types.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type OwnerReference } from '@forge/kube/objects/object.ts';
import { labelMatcher, matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { watch, type ReconcileContext, type Watch } from '@forge/runtime/controller/controller.ts';
import { controllerOf, controllerReference } from '@forge/runtime/objects/owner-reference.ts';

/** An object that selects others by their labels. */
type Selecting = KubeObject & { spec?: { selector: LabelSelector } };

/** Maps an orphaned object to the objects of the owning kind that select it. */
export function watchOrphans<T extends KubeObject>(kind: Kind<T>, ownerKind: Kind<Selecting>): Watch {
  return watch(kind, (object, { cache }) => {
    if (controllerOf(object) !== undefined) return [];
    const { namespace, labels } = object.metadata;
    return cache
      .list(ownerKind, { namespace })
      .filter(({ spec }) => matchesLabelSelector(spec?.selector, labels))
      .map(refOf);
  });
}

/** The objects to keep, adopt and release. */
interface Claims<T> {
  owned: T[];
  adopt: T[];
  release: T[];
}

/**
 * Sorts objects into those the owner controls, those it should adopt (selected orphans) and those it should release.
 * `isMember` narrows what the selector selects. Default: nothing.
 */
export function sortClaims<T extends KubeObject>(
  owner: KubeObject,
  selector: LabelSelector,
  objects: readonly T[],
  isMember: (object: T) => boolean = () => true,
): Claims<T> {
  const claims: Claims<T> = { owned: [], adopt: [], release: [] };
  const isSelected = labelMatcher(selector);
  for (const object of objects) {
    const controller = controllerOf(object);
    const selected = isSelected(object.metadata.labels) && isMember(object);
    const terminating = object.metadata.deletionTimestamp !== undefined;
    if (controller?.uid === owner.metadata.uid) claims[selected || terminating ? 'owned' : 'release'].push(object);
    else if (controller === undefined && selected && !terminating) claims.adopt.push(object);
  }
  return claims;
}

/**
 * The objects of a kind that the owner controls, after adopting selected orphans and releasing what it no longer
 * selects.
 */
export async function claim<T extends KubeObject, O extends KubeObject>(
  kind: Kind<T>,
  ownerKind: Kind<O>,
  owner: O,
  selector: LabelSelector,
  { client, cache }: ReconcileContext,
  isMember?: (object: T) => boolean,
): Promise<T[]> {
  const objects = cache.list(kind, { namespace: owner.metadata.namespace });
  const { owned, adopt, release } = sortClaims(owner, selector, objects, isMember);
  const own = controllerReference(owner);
  if (owner.metadata.deletionTimestamp !== undefined) return owned;

  async function refer(object: T, ownerReferences: OwnerReference[]): Promise<T> {
    // The resourceVersion ensures that no other controller adopted the object in the meantime.
    const { resourceVersion } = object.metadata;
    return client.patch(kind, refOf(object), 'merge', { metadata: { resourceVersion, ownerReferences } });
  }
  for (const object of release) {
    const others = object.metadata.ownerReferences?.filter(({ uid }) => uid !== own.uid) ?? [];
    await refer(object, others);
  }
  if (adopt.length === 0) return owned;
  // A cached owner may already be deleted, and adopted objects would be garbage collected with it.
  const live = await client.find(ownerKind, refOf(owner));
  if (live?.metadata.uid !== own.uid || live.metadata.deletionTimestamp !== undefined) return owned;
  const adopted = await Promise.all(
    adopt.map((object) => refer(object, [...(object.metadata.ownerReferences ?? []), own])),
  );
  return [...owned, ...adopted];
}
