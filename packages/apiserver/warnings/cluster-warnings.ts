// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Node, ServiceAccount, StorageClass } from '@forge/kube/builtin.ts';
import { labelProblem } from './node-label-warnings.ts';

/** Warns of what nobody reads of a node. */
export function* nodeWarnings({ spec = {} }: Node): Generator<string> {
  if (spec.configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if ((spec.externalID ?? '') !== '') {
    yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  }
}

/** Warns of names in the place of addresses. */
export function* endpointSliceWarnings(
  { addressType }: EndpointSlice,
  before: EndpointSlice | undefined,
): Generator<string> {
  if (before === undefined && addressType === 'FQDN') yield 'spec.addressType: FQDN endpoints are deprecated';
}

const onlyOwnSecrets = 'kubernetes.io/enforce-mountable-secrets';

/** Warns who begins to hold an account to its own secrets. */
export function* serviceAccountWarnings(
  { metadata }: ServiceAccount,
  before: ServiceAccount | undefined,
): Generator<string> {
  if (metadata.annotations?.[onlyOwnSecrets] === undefined) return;
  if (before?.metadata.annotations?.[onlyOwnSecrets] !== undefined) return;
  yield `metadata.annotations[${onlyOwnSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
}

/** Warns of labels that a class of storage asks for and nodes will no longer have. */
export function* storageClassWarnings({ allowedTopologies = [] }: StorageClass): Generator<string> {
  for (const [index, { matchLabelExpressions = [] }] of allowedTopologies.entries()) {
    for (const [place, { key }] of matchLabelExpressions.entries()) {
      const problem = labelProblem(key);
      if (problem !== undefined) yield `allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${problem}`;
    }
  }
}
