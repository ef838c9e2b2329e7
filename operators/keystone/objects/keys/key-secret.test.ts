// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { keySecret, rotatedKeySecret } from './key-secret.ts';

const withMaxActiveKeys = (maxActiveKeys: number) =>
  keystoneFixture({ fernet: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys } });

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

  test('gets all keys of a rotation and no others, and keeps what others wrote on it', () => {
    const { metadata, ...production } = keySecret(withMaxActiveKeys(3), 'fernet', systemRandom);
    const { name, annotations, labels } = metadata;
    const theirs = { annotations: { ...annotations, reviewed: 'yes' }, labels: { ...labels, team: 'identity' } };
    const live = { ...production, metadata: { name, ...theirs, finalizers: ['a/b'], resourceVersion: '7' } };
    const staging = { ...live, metadata: { name: 'staging' }, data: { '0': 'bmV3', '3': 'cHJpbWFyeQ==' } };
    const rotated = rotatedKeySecret(live, staging, '2026-01-01T00:00:00Z');
    assert.deepEqual(rotated.data, staging.data);
    assert.deepEqual(rotated.metadata, {
      ...live.metadata,
      annotations: { ...theirs.annotations, 'forge.c5c3.io/rotation-completed-at': '2026-01-01T00:00:00Z' },
    });
  });
});
