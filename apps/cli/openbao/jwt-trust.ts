// SPDX-License-Identifier: Apache-2.0
import { createPublicKey } from 'node:crypto';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';

/** Where OpenBao gets the keys of an issuer from: they are written into its configuration, or it reads them itself. */
export type KeySource =
  | { readonly jwt_validation_pubkeys: readonly string[] }
  | { readonly jwks_url: string; readonly jwks_ca_pem?: string }
  | { readonly oidc_discovery_url: string; readonly oidc_discovery_ca_pem?: string };

/** Whose tokens OpenBao trusts. */
export type JwtTrust = { readonly bound_issuer: string } & KeySource;

/** The public keys in a text, as PEM: of a JSON Web Key Set, or of PEM itself. Throws when there is none. */
export function publicKeysIn(text: string): string[] {
  const keys = text.trimStart().startsWith('{') ? keysOfSet(JSON.parse(text) as JsonObject) : pemsIn(text);
  if (keys.length === 0) throw new Error('it holds no public key');
  return keys;
}

function keysOfSet({ keys }: JsonObject): string[] {
  return (Array.isArray(keys) ? keys : []).filter(isObject).map((jwk) => pemOf({ key: jwk, format: 'jwk' }));
}

function pemsIn(text: string): string[] {
  return [...text.matchAll(/-----BEGIN ([A-Z ]+)-----.*?-----END \1-----/gs)].map(([pem, label]) => {
    if (label?.includes('PRIVATE')) throw new Error('it holds a private key, which must not leave its place');
    return pemOf(pem);
  });
}

function pemOf(key: Parameters<typeof createPublicKey>[0]): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string;
}
