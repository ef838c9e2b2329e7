// SPDX-License-Identifier: Apache-2.0
import type { CSIDriver, EndpointSlice, Node, ServiceAccount, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Warn } from '../resources/warn.ts';
import { labelProblem } from './node-label-warnings.ts';

/** Warns of unused fields of a node. */
export function nodeWarnings({ spec = {} }: Node, warn: Warn): void {
  if (spec.configSource !== undefined) warn('spec.configSource: the feature is removed');
  if ((spec.externalID ?? '') !== '') {
    warn('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
}

/** Warns of FQDN endpoints. */
export function endpointSliceWarnings(
  { addressType }: EndpointSlice,
  warn: Warn,
  before: EndpointSlice | undefined,
): void {
  if (before === undefined && addressType === 'FQDN') warn('spec.addressType: FQDN endpoints are deprecated');
}

const onlyOwnSecrets = 'kubernetes.io/enforce-mountable-secrets';

/** Warns when a ServiceAccount starts to enforce mountable secrets. */
export function serviceAccountWarnings(
  { metadata }: ServiceAccount,
  warn: Warn,
  before: ServiceAccount | undefined,
): void {
  if (metadata.annotations?.[onlyOwnSecrets] === undefined) return;
  if (before?.metadata.annotations?.[onlyOwnSecrets] !== undefined) return;
  warn(
    `metadata.annotations[${onlyOwnSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  );
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

/** Warns of tokens in volume attributes, which drivers may log. */
export function driverWarnings({ spec }: CSIDriver, warn: Warn, before: CSIDriver | undefined): void {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
  const isNew = !jsonEqual(tokenRequests, before?.spec.tokenRequests ?? []);
  if (!isNew || tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return;
  warn(
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  );
}
