// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { signingKey, unverifiedClaims } from './signing-key.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const elliptic = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem).toString();

describe('a signing key', () => {
  for (const [alg, text] of [
    ['ES256', elliptic()],
    ['RS256', rsa],
  ] as const) {
    test(`signs tokens with ${alg} that its public key verifies`, () => {
      const key = signingKey(text);
      const token = key.sign({ sub: 'jane' });
      assert.deepEqual(key.verify(token), { sub: 'jane' });
      assert.equal(key.jwk['alg'], alg);
      const [head, claims, signature = ''] = token.split('.');
      const publicKey = createPublicKey({ key: key.jwk, format: 'jwk' });
      const signed = Buffer.from(`${head}.${claims}`);
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      assert.ok(verify('sha256', signed, options, Buffer.from(signature, 'base64url')));
    });
  }

  test('verifies only its own tokens', () => {
    const key = signingKey(elliptic());
    const foreign = signingKey(elliptic()).sign({ sub: 'jane' });
    assert.equal(key.verify(foreign), undefined);
    assert.deepEqual(unverifiedClaims(foreign), { sub: 'jane' });
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${foreign.split('.')[1]}.`;
    for (const token of [unsigned, '', 'a', 'a.b', 'a.b.c', `${key.sign({})}x`]) {
      assert.equal(key.verify(token), undefined, token);
    }
  });

  test('signs deterministically with RSA', () => {
    assert.equal(signingKey(rsa).sign({ sub: 'jane' }), signingKey(rsa).sign({ sub: 'jane' }));
  });

  test('must be of a supported type', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    assert.throws(() => signingKey(privateKey.export(pem).toString()), /Cannot sign tokens with a key of type ed25519/);
  });
});
