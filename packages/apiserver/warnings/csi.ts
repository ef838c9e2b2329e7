// SPDX-License-Identifier: Apache-2.0
import type { CSIDriver } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Warn } from '../resources/warn.ts';

/** Warns of tokens in volume attributes, which drivers may log. */
export function driverWarnings({ spec }: CSIDriver, warn: Warn, before: CSIDriver | undefined): void {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
  const isNew = !jsonEqual(tokenRequests, before?.spec.tokenRequests ?? []);
  if (!isNew || tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return;
  warn(
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  );
}
