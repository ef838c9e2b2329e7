// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { namesOf } from '../api/names.ts';
import type { ContextWith, Services } from '../clients/services.ts';
import { teardownEvents as events } from '../conditions/deletion.ts';
import { isHeldOnly, isHold } from '../objects/held-children.ts';

/** The login of the ControlPlane, or of an earlier one of the name. */
export const loginRead = reads<ControlPlane, Services, Secret>(
  Secret,
  (controlPlane) => [namesOf(controlPlane).passwordCloud],
  { live: true },
);

/**
 * Keeps an object that an earlier ControlPlane left to its login because somebody removed its finalizer. Nobody deletes that
 * login any more, so the object would count as terminating forever. Afterwards it is like an orphaned object.
 */
export async function releaseLeftBehind(
  kind: Kind,
  live: KubeObject,
  { object: controlPlane, fetch, release, event }: Pick<ContextWith, 'object' | 'fetch' | 'release' | 'event'>,
): Promise<void> {
  const { deletionTimestamp, ownerReferences = [], name } = live.metadata;
  if (deletionTimestamp !== undefined || !isHeldOnly(live, controlPlane)) return;
  const { metadata: login } = (await fetch(Secret, namesOf(controlPlane).passwordCloud)) ?? {};
  // The object is deleted with a login that is deleted or was replaced.
  if (login === undefined || login.deletionTimestamp !== undefined) return;
  if (!ownerReferences.some(({ uid }) => uid === login.uid)) return;
  // If it is its own login, this ControlPlane is being deleted, which the pass may not know yet.
  if (login.annotations?.[ownerAnnotation] === controlPlane.metadata.uid) return;
  await release(kind, live, { owners: (owner) => isHold(owner, controlPlane) });
  await event(events.retained({ names: `${kind.kind} ${name}` }));
}
