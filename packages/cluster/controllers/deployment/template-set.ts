// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { DeploymentSpec, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { Deployment, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { revisionAnnotation } from './revision.ts';
import type { RolloutBounds } from './rolling-update.ts';

const hashLabel = 'pod-template-hash';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const ceilingAnnotation = 'deployment.kubernetes.io/max-replicas';
const ownAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  desiredAnnotation,
  ceilingAnnotation,
]);

/** The oldest ReplicaSet with this template; they are given oldest first. */
export function findTemplateSet(template: PodTemplateSpec, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets.find(({ spec }) => isDeepStrictEqual(withoutHash(spec?.template ?? {}), withoutHash(template)));
}

/** A ReplicaSet for a template of the Deployment, distinguished by the hash. */
export function templateSet(deployment: Deployment, spec: DeploymentSpec, hash: string, replicas: number): ReplicaSet {
  const { name, namespace } = deployment.metadata;
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/** The annotations that the current ReplicaSet inherits from its Deployment. */
export function carriedAnnotations(deployment: Deployment, revision: number): Record<string, string> {
  const carried = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return { ...Object.fromEntries(carried), [revisionAnnotation]: String(revision) };
}

/** The Deployment's size when the ReplicaSet was last resized, by which later scaling is detected and distributed. */
export function sizeAnnotations({ replicas, maxSurge }: RolloutBounds): Record<string, string> {
  return { [desiredAnnotation]: String(replicas), [ceilingAnnotation]: String(replicas + maxSurge) };
}

/** Whether the ReplicaSet already has these annotations. */
export function carries({ metadata }: ReplicaSet, annotations: Record<string, string>): boolean {
  return Object.entries(annotations).every(([key, value]) => metadata.annotations?.[key] === value);
}

/** Reads `sizeAnnotations` back. */
export function sizeWhenScaled(set: ReplicaSet): { desired: number | undefined; ceiling: number | undefined } {
  return { desired: numberOn(set, desiredAnnotation), ceiling: numberOn(set, ceilingAnnotation) };
}

function numberOn({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  return text === undefined ? undefined : Number(text);
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
