// SPDX-License-Identifier: Apache-2.0
import type { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Warn } from '../resources/warn.ts';

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
