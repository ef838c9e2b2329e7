// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { podFromTemplate } from '../ownership/pod-from-template.ts';

/** The label with the revision of a pod. */
const revisionLabel = 'controller-revision-hash';

/** The ordinals that the set must have. */
export function wantedOrdinals({ spec }: StatefulSet): number[] {
  const start = spec?.ordinals?.start ?? 0;
  return Array.from({ length: spec?.replicas ?? 1 }, (_, index) => start + index);
}

/** The ordinal of a pod of the set; undefined when its name has none. */
export function ordinalOf(set: StatefulSet, { metadata }: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const suffix = metadata.name.startsWith(prefix) ? metadata.name.slice(prefix.length) : '';
  return /^(?:0|[1-9]\d*)$/.test(suffix) ? Number(suffix) : undefined;
}

/** The revision from which the pod was created. */
export function revisionOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.[revisionLabel];
}

/** The pod of an ordinal, with its name, hostname, subdomain and volumes. */
export function podOf(set: StatefulSet, ordinal: number, revision: string, template: PodTemplateSpec): Pod {
  const { serviceName } = set.spec ?? {};
  const name = `${set.metadata.name}-${ordinal}`;
  const {
    metadata: { generateName: _, ...metadata },
    spec,
    ...pod
  } = podFromTemplate(template, set);
  const claims = claimsOf(set, ordinal).map(({ template: volume, claim }) => ({
    name: volume,
    persistentVolumeClaim: { claimName: claim.metadata.name },
  }));
  const others = (spec?.volumes ?? []).filter((volume) => !claims.some((each) => each.name === volume.name));
  const volumes = [...claims, ...others];
  return {
    ...pod,
    metadata: {
      ...metadata,
      name,
      labels: {
        ...metadata.labels,
        [revisionLabel]: revision,
        'apps.kubernetes.io/pod-index': String(ordinal),
        'statefulset.kubernetes.io/pod-name': name,
      },
    },
    spec: {
      containers: [],
      ...spec,
      hostname: name,
      ...(serviceName !== undefined && { subdomain: serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

/** A claim of a pod, and the name of its template, which is also that of the volume. */
export interface PodClaim {
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
