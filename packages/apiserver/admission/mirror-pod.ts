// SPDX-License-Identifier: Apache-2.0
import type { PodSpec, Volume } from '@forge/kube/generated/types.ts';
import { isObject } from '@forge/kube/objects/json.ts';

/** What a mirror pod references although it must not; undefined when there is nothing. */
export function mirrorPodProblem(spec: PodSpec): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'reference service accounts';
  if (referencesSecret(spec)) return 'reference secrets';
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const hasToken = sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined);
  return hasToken ? 'use ServiceAccountToken volume projections' : undefined;
}

function referencesSecret(spec: Partial<PodSpec>): boolean {
  const { imagePullSecrets = [], containers = [], initContainers = [], volumes = [] } = spec;
  return (
    imagePullSecrets.length > 0 ||
    volumes.some(volumeReferencesSecret) ||
    [...initContainers, ...containers].some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) ||
        envFrom.some(({ secretRef }) => secretRef !== undefined),
    )
  );
}

/** Many volume types besides `secret` reference a Secret for credentials. */
function volumeReferencesSecret({ secret, projected, ...others }: Volume): boolean {
  if (secret !== undefined) return true;
  if (projected?.sources?.some((source) => source.secret !== undefined) === true) return true;
  return Object.values(others)
    .filter(isObject)
    .some((source) => Object.keys(source).some((field) => /secret(?:Ref|Name)$/i.test(field)));
}
