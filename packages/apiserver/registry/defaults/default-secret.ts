// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';

/** A secret of a type, with what was sent as clear text where readers look for it. */
export function defaultSecret(secret: Secret): Secret {
  const { stringData, ...rest } = { type: 'Opaque', ...secret };
  if (stringData === undefined) return rest;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { ...rest, data: { ...secret.data, ...Object.fromEntries(encoded) } };
}
