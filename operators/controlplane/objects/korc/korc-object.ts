// SPDX-License-Identifier: Apache-2.0
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { conditionOf, isTrue } from '@forge/runtime/objects/condition.ts';
import { ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { cloudNameOf } from '../../api/settings.ts';

/** Group and version of all kinds of K-ORC. */
export const korcVersion = 'openstack.k-orc.cloud/v1alpha1';

/** The parts of an object of K-ORC that show its state. */
export interface KorcObject extends KubeObject {
  status?: { id?: string; conditions?: readonly Condition[] };
}

/** How K-ORC logs in for an object: the entry is the same in every clouds.yaml. */
export const loginBy = (controlPlane: ControlPlane, secretName: string) => ({
  secretName,
  cloudName: cloudNameOf(controlPlane),
});

/** Marks an object as the ControlPlane's own, even after a deletion has orphaned it. */
export const ownerMark = ({ metadata: { uid = '' } }: ControlPlane) => ({ [ownerAnnotation]: uid });

/** Whether K-ORC has found or created what the object represents; it does not notice when that disappears later. */
export function isAvailable(object: KorcObject): boolean {
  return isTrue(object, 'Available');
}

/** The same, for the current spec only. */
export function isCurrentlyAvailable(object: KorcObject): boolean {
  return isAvailable(object) && conditionOf(object, 'Available')?.observedGeneration === object.metadata.generation;
}

/** Why K-ORC will not try again with the current spec; undefined while it does. */
export function terminalError(object: KorcObject): string | undefined {
  const { reason, message, observedGeneration } = conditionOf(object, 'Progressing') ?? {};
  const isTerminal = reason === 'InvalidConfiguration' || reason === 'UnrecoverableError';
  return isTerminal && observedGeneration === object.metadata.generation ? (message ?? '') : undefined;
}
