// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { controllerOf, isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { isHeldOnly } from './held-children.ts';

/** Of `terminating` objects nothing counts that they report. */
type ChildState = 'own' | 'unowned' | 'terminating';

/**
 * How an object with the name of a child stands to the ControlPlane: it is its own, or unowned, which is somebody else's too, or
 * terminating. The last includes objects of an earlier ControlPlane, which are about to be deleted. Undefined where none exists.
 */
export function childState(live: KubeObject, controlPlane: ControlPlane): ChildState;
export function childState(live: KubeObject | undefined, controlPlane: ControlPlane): ChildState | undefined;
export function childState(live: KubeObject | undefined, controlPlane: ControlPlane): ChildState | undefined {
  if (live === undefined) return undefined;
  if (live.metadata.deletionTimestamp !== undefined) return 'terminating';
  if (isHeldOnly(live, controlPlane)) return 'terminating';
  if (isControlledBy(live, controlPlane)) return 'own';
  return controllerOf(live)?.kind === controlPlane.kind ? 'terminating' : 'unowned';
}
