// SPDX-License-Identifier: Apache-2.0
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

const issuer = 'https://kubernetes.default.svc.cluster.local';
export const audience = 'openbao-internal';
export const subject = 'system:serviceaccount:ops:demo-upgrade';

interface Claims {
  iss?: string;
  sub?: string;
  aud?: string[];
  exp?: number;
}

const trusted = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The configuration of JWT authentication that trusts these JWTs. */
export const jwtConfig = {
  bound_issuer: issuer,
  jwt_validation_pubkeys: [trusted.publicKey.export({ type: 'spki', format: 'pem' }) as string],
};

const inOneDay = 86_400;

/** A signed JWT of a ServiceAccount; `now` is in seconds. */
export function jwt(now: number, claims: Claims = {}): string {
  return signed(trusted.privateKey, now, claims);
}

/** One that is signed with a key that nobody trusts. */
export function foreignJwt(now: number): string {
  return signed(foreign.privateKey, now, {});
}

function signed(key: KeyObject, now: number, claims: Claims): string {
  const all = { iss: issuer, sub: subject, aud: [audience], iat: now, nbf: now, exp: now + inOneDay, ...claims };
  const parts = [{ alg: 'RS256', typ: 'JWT' }, all].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createSign('RSA-SHA256').update(parts.join('.')).sign(key).toString('base64url');
  return [...parts, signature].join('.');
}
