// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** The annotation that numbers a Deployment's templates, for `kubectl rollout`. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** The revision of a ReplicaSet; 0 when not annotated. */
export function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

/** The revision of the current ReplicaSet: higher than all old ones, also when an old template returns. */
export function nextRevision(old: readonly KubeObject[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}
