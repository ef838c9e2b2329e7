// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';

/** A claim of a pod, and the name of its template, which is also that of the volume. */
interface PodClaim {
  readonly template: string;
  readonly claim: PersistentVolumeClaim;
}

/** The claims of the pod of an ordinal. They are retained when the set is deleted, unless its policy says otherwise. */
export function claimsOf(set: StatefulSet, ordinal: number): PodClaim[] {
  const { volumeClaimTemplates = [], selector, persistentVolumeClaimRetentionPolicy: retention } = set.spec ?? {};
  const { name: setName, namespace } = set.metadata;
  return volumeClaimTemplates.map(({ metadata: { name, labels, annotations }, spec }) => ({
    template: name,
    claim: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `${name}-${setName}-${ordinal}`,
        ...(namespace !== undefined && { namespace }),
        labels: { ...labels, ...selector?.matchLabels },
        ...(annotations !== undefined && { annotations }),
        ...(retention?.whenDeleted === 'Delete' && { ownerReferences: [controllerReference(set)] }),
      },
      ...(spec !== undefined && { spec }),
    },
  }));
}
