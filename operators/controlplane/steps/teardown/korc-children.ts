// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { controllerOf, isControlledBy, ownerUidsOf } from '@forge/runtime/objects/owner-reference.ts';
import { reads, type Reads } from '@forge/runtime/steps/reads.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { namesOf } from '../../api/names.ts';
import type { ContextWith, Services } from '../../clients/services.ts';

/** The context of a deletion step. */
export type TeardownContext = ContextWith;

/** An object of K-ORC that belongs to the ControlPlane. */
export interface KorcChild {
  readonly kind: Kind;
  readonly live: KubeObject;
}

/** Kinds and names of the ControlPlane's objects of K-ORC, in the order in which they are deleted. */
export const korcPlaces: readonly { kind: Kind; nameOf: (controlPlane: ControlPlane) => string }[] = [
  { kind: ApplicationCredential, nameOf: (controlPlane) => namesOf(controlPlane).applicationCredential },
  { kind: Service, nameOf: (controlPlane) => namesOf(controlPlane).identityService },
  { kind: Endpoint, nameOf: (controlPlane) => namesOf(controlPlane).identityEndpoint },
  { kind: User, nameOf: (controlPlane) => namesOf(controlPlane).user },
  { kind: Domain, nameOf: (controlPlane) => namesOf(controlPlane).domain },
];

/** They are read from the cache, and live before they count as deleted. */
export const korcReads: readonly Reads<ControlPlane, Services>[] = korcPlaces.flatMap(({ kind, nameOf }) =>
  [false, true].map((live) =>
    reads<ControlPlane, Services, KubeObject>(kind, (controlPlane) => [nameOf(controlPlane)], { live }),
  ),
);

/** Those that exist according to the cache. */
export function korcChildren({ object: controlPlane, get }: TeardownContext): KorcChild[] {
  return korcPlaces.flatMap(({ kind, nameOf }) => childAt(kind, get(kind, nameOf(controlPlane)), controlPlane));
}

/**
 * Those that exist. The server is asked when the cache has none, because one may just have been created, and when `live` is
 * set, because the cache counts an object that was just deleted as gone, even if finalizers hold it.
 */
export async function remainingChildren(context: TeardownContext, { live }: { live: boolean }): Promise<KorcChild[]> {
  const known = live ? [] : korcChildren(context);
  if (known.length > 0) return known;
  const { object: controlPlane, fetch } = context;
  const found = korcPlaces.map(async ({ kind, nameOf }) =>
    childAt(kind, await fetch(kind, nameOf(controlPlane)), controlPlane),
  );
  return (await Promise.all(found)).flat();
}

function childAt(kind: Kind, live: KubeObject | undefined, controlPlane: ControlPlane): KorcChild[] {
  return live !== undefined && isOwn(live, controlPlane) ? [{ kind, live }] : [];
}

/** By its controller; or by its label when the deletion has orphaned it. */
function isOwn(live: KubeObject, controlPlane: ControlPlane): boolean {
  const isOrphaned = controllerOf(live) === undefined;
  return isOrphaned ? ownerUidsOf(live).includes(controlPlane.metadata.uid ?? '') : isControlledBy(live, controlPlane);
}
