// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { namesOf, propagationAnnotation } from '../../api/names.ts';
import { teardownEvents as events } from '../../conditions/deletion.ts';
import { heldPlaces, isHold } from '../../objects/held-children.ts';
import type { TeardownContext } from './korc-children.ts';

const foreground = 'Foreground';

/** Whether the garbage collector deletes the ControlPlane in the foreground. */
export function isForeground({ metadata: { finalizers = [] } }: ControlPlane): boolean {
  return finalizers.includes('foregroundDeletion');
}

/** Remembers a deletion in the foreground: its finalizer may be gone before ours, and then it looks like one that orphans. */
export async function rememberForeground({ object: controlPlane, get, patch }: TeardownContext): Promise<void> {
  const login = get(Secret, namesOf(controlPlane).passwordCloud);
  if (login === undefined || login.metadata.deletionTimestamp !== undefined || !isForeground(controlPlane)) return;
  await patch(Secret, login, { metadata: { annotations: { [propagationAnnotation]: foreground } } });
}

/**
 * Keeps Keystone and what it depends on when the login is deleted, unless they are to be deleted with the ControlPlane:
 * orphaned ones are somebody's data. A foreground deletion that ended before it was seen looks the same. Everything is read
 * live: the cache may still show the former owner.
 */
export async function releaseHeld({
  object: controlPlane,
  get,
  fetch,
  release,
  event,
}: TeardownContext): Promise<void> {
  const login = get(Secret, namesOf(controlPlane).passwordCloud);
  const wasForeground = login?.metadata.annotations?.[propagationAnnotation] === foreground;
  const current = (await fetch(ControlPlane, controlPlane.metadata.name)) ?? controlPlane;
  const isOrphaning = current.metadata.finalizers?.includes('orphan') ?? false;
  if (!isOrphaning && (wasForeground || [controlPlane, current].some(isForeground))) return;
  const retained: string[] = [];
  for (const { kind, names } of heldPlaces) {
    for (const name of names(controlPlane)) {
      const live = await fetch(kind, name);
      if (live?.metadata.ownerReferences?.some((owner) => isHold(owner, controlPlane)) !== true) continue;
      if (isControlledBy(live, controlPlane) && !isOrphaning) continue;
      await release(kind, live, { owners: (owner) => isHold(owner, controlPlane) });
      retained.push(`${kind.kind} ${name}`);
    }
  }
  if (retained.length > 0) await event(events.retained({ names: retained.join(', ') }));
}
