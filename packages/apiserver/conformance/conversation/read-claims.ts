// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';

/** The claims of a token with times relative to when it was issued; undefined when it is not a token. */
export function readClaims(token: string): JsonObject | undefined {
  const [, payload = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  const { iat, exp, nbf, jti: _, ...rest } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  const { warnafter, ...bound } = rest['kubernetes.io'];
  const warning = warnafter === undefined ? {} : { warnafter: warnafter - iat };
  return { ...rest, 'kubernetes.io': { ...bound, ...warning }, exp: exp - iat, nbf: nbf - iat };
}

interface Claims extends JsonObject {
  iat: number;
  exp: number;
  nbf: number;
  'kubernetes.io': JsonObject & { warnafter?: number };
}
