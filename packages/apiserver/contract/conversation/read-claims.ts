// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';

/** What a token says, so that it can be compared: times are counted from when it was issued. Undefined when it is none. */
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
