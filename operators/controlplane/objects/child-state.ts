// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isControlledBy, isOfEarlierOwner } from '@forge/runtime/objects/owner-reference.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { isHeldOnly } from './held-children.ts';

/** What `terminating` objects report does not count. */
type ChildState = 'own' | 'unowned' | 'terminating';

/**
 * The relation of an object with the name of a child to the ControlPlane: its own, unowned (or owned by somebody else), or
 * terminating. Objects of an earlier ControlPlane count as terminating: they are about to be deleted. It may have had another
 * name, since a namespace has one ControlPlane at a time. Undefined when there is none.
 */
export function childState(live: KubeObject, controlPlane: ControlPlane): ChildState;
export function childState(live: KubeObject | undefined, controlPlane: ControlPlane): ChildState | undefined;
export function childState(live: KubeObject | undefined, controlPlane: ControlPlane): ChildState | undefined {
  if (live === undefined) return undefined;
  if (live.metadata.deletionTimestamp !== undefined) return 'terminating';
  if (isHeldOnly(live, controlPlane)) return 'terminating';
  if (isControlledBy(live, controlPlane)) return 'own';
  return isOfEarlierOwner(live, controlPlane, { underAnyName: true }) ? 'terminating' : 'unowned';
}
