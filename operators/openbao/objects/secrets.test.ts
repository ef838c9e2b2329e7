// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { labels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { fingerprintOf, rootTokenSecret, unsealKeyIn, unsealKeySecret } from './secrets.ts';

const cluster = openbaoFixture();
// Neither text nor base64.
const key = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);

describe('the Secret', () => {
  test('of the unseal key holds its bytes as they are, never changes and has no owner', () => {
    const secret = unsealKeySecret(cluster, key);
    assert.deepEqual(secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'demo-unseal-key', labels },
      type: 'Opaque',
      immutable: true,
      data: { key: Buffer.from(key).toString('base64') },
    });
    assert.deepEqual(unsealKeyIn(secret).bytes(), key);
    assert.deepEqual(unsealKeySecret(cluster, unsealKeyIn(secret)), secret);
  });

  test('of the root token never changes and has no owner; without a token it is the same but empty', () => {
    const secret = rootTokenSecret(cluster, new SecretValue('s.token'));
    assert.deepEqual(secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'demo-root-token', labels },
      type: 'Opaque',
      immutable: true,
      data: { token: 'cy50b2tlbg==' },
    });
    assert.deepEqual(rootTokenSecret(cluster, undefined), { ...secret, data: { token: '' } });
  });
});

test('the fingerprint is the SHA-256 of the bytes; a Secret without a key has that of none', () => {
  const { data: _, ...empty } = unsealKeySecret(cluster, key);
  assert.equal(fingerprintOf(new SecretValue(key)), createHash('sha256').update(key).digest('hex'));
  assert.equal(fingerprintOf(unsealKeyIn(empty)), createHash('sha256').digest('hex'));
});
