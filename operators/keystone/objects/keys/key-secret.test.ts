// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemRandom } from '@forge/runtime/random/random.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { keySecret } from './key-secret.ts';

const withMaxActiveKeys = (maxActiveKeys: number) =>
  keystoneFixture({ fernet: { rotationSchedule: '0 0 * * 0', maxActiveKeys } });

describe('a key repository', () => {
  test('has at least three keys, each as Python reads a Fernet key, no two alike', () => {
    const { data = {} } = keySecret(withMaxActiveKeys(5), 'fernet', systemRandom);
    assert.deepEqual(Object.keys(data), ['0', '1', '2', '3', '4']);
    const keys = Object.values(data).map((value) => Buffer.from(value, 'base64').toString());
    for (const key of keys) {
      assert.match(key, /^[A-Za-z0-9_-]{43}=$/);
      assert.equal(Buffer.from(key, 'base64url').length, 32);
    }
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(Object.keys(keySecret(withMaxActiveKeys(1), 'fernet', systemRandom).data ?? {}).length, 3);
  });
});
