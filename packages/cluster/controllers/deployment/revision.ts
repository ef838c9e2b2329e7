// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** Numbers the templates a Deployment has had, for `kubectl rollout`. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** Which of a Deployment's templates a ReplicaSet holds; 0 when nobody has said. */
export function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

/** The revision of the current set: after all the old ones, also when an old template has come back. */
export function nextRevision(old: readonly KubeObject[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}
