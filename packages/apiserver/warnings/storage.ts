// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaimSpec } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, PersistentVolume, StorageClass } from '@forge/kube/kinds/builtin.ts';
import type { Warn } from '../resources/warn.ts';
import { termWarnings } from './node-label-warnings.ts';
import { labelProblem } from './node-label-warnings.ts';

const oldClass = 'volume.beta.kubernetes.io/storage-class';

const oldOptions = 'volume.beta.kubernetes.io/mount-options';

/** Warns of fractional byte values. */
export function fractionWarnings(
  quantities: Readonly<Record<string, string | number>> | undefined,
  resource: string,
  place: string,
  field: string,
  warn: Warn,
): void {
  const quantity = quantities?.[resource];
  // Canonical quantities with these suffixes are not integers.
  if (typeof quantity !== 'string' || !'num'.includes(quantity.at(-1) ?? '')) return;
  warn(`${place}.${field}[${resource}]: fractional byte value "${quantity}" is invalid, must be an integer`);
}

/** Warns of fractional storage sizes in a claim. */
export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, place: string, warn: Warn): void {
  fractionWarnings(resources?.requests, 'storage', place, 'resources.requests', warn);
  fractionWarnings(resources?.limits, 'storage', place, 'resources.limits', warn);
}

/** Warns of deprecated fields of a claim. */
export function claimWarnings({ metadata, spec = {} }: PersistentVolumeClaim, warn: Warn): void {
  if (metadata.annotations?.[oldClass] !== undefined) {
    warn(`metadata.annotations[${oldClass}]: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  claimSpecWarnings(spec, 'spec', warn);
}

/** Warns of deprecated fields of a volume. */
export function persistentVolumeWarnings({ metadata, spec = {} }: PersistentVolume, warn: Warn): void {
  if (metadata.annotations?.[oldClass] !== undefined) {
    warn(`metadata.annotations[${oldClass}]: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  if (metadata.annotations?.[oldOptions] !== undefined) {
    warn(`metadata.annotations[${oldOptions}]: deprecated since v1.31; use "mountOptions" attribute instead`);
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    warn(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  for (const [index, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, warn);
  }
}

/** Warns of deprecated node labels in allowed topologies. */
export function storageClassWarnings({ allowedTopologies = [] }: StorageClass, warn: Warn): void {
  for (const [index, { matchLabelExpressions = [] }] of allowedTopologies.entries()) {
    for (const [place, { key }] of matchLabelExpressions.entries()) {
      const problem = labelProblem(key);
      if (problem !== undefined) warn(`allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${problem}`);
    }
  }
}
