// SPDX-License-Identifier: Apache-2.0
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';

/** Signs and verifies JSON Web Tokens. */
export interface SigningKey {
  sign(claims: object): string;
  /** The claims of a token signed by this key; undefined otherwise. */
  verify(token: string): JsonObject | undefined;
  /** The public key as a JSON Web Key. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

const algorithms: Readonly<Record<string, { alg: string; hash: string }>> = {
  rsa: { alg: 'RS256', hash: 'sha256' },
  prime256v1: { alg: 'ES256', hash: 'sha256' },
  secp384r1: { alg: 'ES384', hash: 'sha384' },
  secp521r1: { alg: 'ES512', hash: 'sha512' },
};

/** A signing key from PEM: RSA, or a NIST curve. RSA signatures are deterministic. */
export function signingKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const { alg, hash } = algorithmOf(privateKey);
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const head = encoded({ alg, kid });
  return {
    sign(claims) {
      const signed = `${head}.${encoded(claims)}`;
      const signature = sign(hash, Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
    verify(token) {
      const [header = '', claims = '', signature = ''] = token.split('.');
      const { alg: usedAlg, kid: usedKid = kid } = decoded(header) ?? {};
      if (usedAlg !== alg || usedKid !== kid) return undefined;
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const isOurs = verify(hash, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
      return isOurs ? decoded(claims) : undefined;
    },
    jwk: { use: 'sig', kid, alg, ...publicKey.export({ format: 'jwk' }) },
  };
}

/** The unverified claims of a token; undefined when it is malformed. */
export function unverifiedClaims(token: string): JsonObject | undefined {
  const parts = token.split('.');
  return parts.length === 3 ? decoded(parts[1] ?? '') : undefined;
}

function algorithmOf(key: KeyObject): { alg: string; hash: string } {
  const type = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  const known = algorithms[type];
  if (known === undefined) throw new Error(`Cannot sign tokens with a key of type ${type}: use RSA or P-256`);
  return known;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
