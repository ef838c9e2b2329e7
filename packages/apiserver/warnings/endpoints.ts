// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice } from '@forge/kube/kinds/builtin.ts';
import type { Warn } from '../resources/warn.ts';

/** Warns of FQDN endpoints. */
export function endpointSliceWarnings(
  { addressType }: EndpointSlice,
  warn: Warn,
  before: EndpointSlice | undefined,
): void {
  if (before === undefined && addressType === 'FQDN') warn('spec.addressType: FQDN endpoints are deprecated');
}
