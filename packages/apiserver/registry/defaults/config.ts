// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';

/** Defaults of secrets: the type, and stringData merged into data. */
export function defaultSecret(secret: Secret): Secret {
  const { stringData, ...rest } = { type: 'Opaque', ...secret };
  if (stringData === undefined) return rest;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { ...rest, data: { ...secret.data, ...Object.fromEntries(encoded) } };
}
