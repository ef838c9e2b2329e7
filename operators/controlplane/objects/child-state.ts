// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { controllerOf, isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import type { ControlPlane } from '../control-plane.ts';
import { isHeldOnly } from './held-children.ts';

/**
 * Whose an object is that has the name of a child: the ControlPlane's own, somebody else's, or one that is about to go: it is
 * terminating, or belongs to an earlier ControlPlane, and whatever it reports does not count.
 */
export function childState(
  live: KubeObject | undefined,
  controlPlane: ControlPlane,
): 'absent' | 'leaving' | 'own' | 'foreign' {
  if (live === undefined) return 'absent';
  if (live.metadata.deletionTimestamp !== undefined) return 'leaving';
  if (isHeldOnly(live, controlPlane)) return 'leaving';
  if (isControlledBy(live, controlPlane)) return 'own';
  return controllerOf(live)?.kind === controlPlane.kind ? 'leaving' : 'foreign';
}
