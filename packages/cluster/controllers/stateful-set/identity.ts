// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec, Volume } from '@forge/kube/generated/types.ts';
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { podFromTemplate } from '../ownership/pod-from-template.ts';
import { claimsOf } from './pod-claims.ts';

/** The label with the revision of a pod. */
const revisionLabel = 'controller-revision-hash';

/** The ordinals from the first to before the end. */
interface OrdinalRange {
  readonly first: number;
  readonly end: number;
}

/** The ordinals that the set must have. There may be two thousand million: nobody may make a list of them. */
export function wantedOrdinals({ spec }: StatefulSet): OrdinalRange {
  const first = spec?.ordinals?.start ?? 0;
  return { first, end: first + (spec?.replicas ?? 1) };
}

/** Whether the set must have an ordinal. */
export function isWanted(set: StatefulSet, ordinal: number): boolean {
  const { first, end } = wantedOrdinals(set);
  return ordinal >= first && ordinal < end;
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
  const { metadata, spec, ...pod } = podFromTemplate(template, set);
  const volumes = volumesOf(set, ordinal, spec?.volumes);
  return {
    ...pod,
    metadata: {
      ...metadata,
      name,
      labels: { ...metadata.labels, [revisionLabel]: revision, ...labelsOf(name, ordinal) },
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

/** The pod with the labels and volumes of its ordinal; the same pod when it has them, as an adopted one may not. */
export function conforming(set: StatefulSet, pod: Pod): Pod {
  const { metadata, spec } = pod;
  const ordinal = ordinalOf(set, pod) ?? 0;
  const labels = labelsOf(metadata.name, ordinal);
  const hasName = metadata.labels?.[nameLabel] === metadata.name;
  const hasVolumes = claimsOf(set, ordinal).every(({ template, claim }) =>
    spec?.volumes?.some(
      (each) => each.name === template && each.persistentVolumeClaim?.claimName === claim.metadata.name,
    ),
  );
  if (hasName && hasVolumes) return pod;
  return {
    ...pod,
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    spec: { containers: [], ...spec, volumes: volumesOf(set, ordinal, spec?.volumes) },
  };
}

const nameLabel = 'statefulset.kubernetes.io/pod-name';

function labelsOf(name: string, ordinal: number): Record<string, string> {
  return { 'apps.kubernetes.io/pod-index': String(ordinal), [nameLabel]: name };
}

/** The volumes with those of the claims, which replace others of the same name. */
function volumesOf(set: StatefulSet, ordinal: number, volumes: readonly Volume[] = []): Volume[] {
  const claims = claimsOf(set, ordinal).map(({ template, claim }) => ({
    name: template,
    persistentVolumeClaim: { claimName: claim.metadata.name },
  }));
  return [...claims, ...volumes.filter((volume) => !claims.some(({ name }) => name === volume.name))];
}
