// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VolumeMount } from '@forge/kube/generated/types.ts';
import { mountOf, targetOf } from './mount-of.ts';

const volumes = new Map([
  ['data', { source: '/volumes/data', readOnly: false }],
  ['keys', { source: '/pod/keys', readOnly: true }],
]);
const env = { POD: 'web-0', UP: '../other', ROOT: '/etc', EMPTY: '' };
const mounted = (mount: Partial<VolumeMount>) =>
  mountOf({ name: 'data', mountPath: '/w', ...mount }, { name: 'web' }, volumes, env);

test('a mount has a volume and an optional subPath, which is created only in a writable volume', () => {
  const whole = { source: '/volumes/data', inside: { path: '', make: true }, target: '/w', readOnly: false };
  assert.deepEqual(mounted({}), whole);
  assert.deepEqual(mounted({ subPath: 'a/b', readOnly: true }).inside, { path: 'a/b', make: true });
  assert.deepEqual(mounted({ name: 'keys', subPath: 'key' }), {
    source: '/pod/keys',
    inside: { path: 'key', make: false },
    target: '/w',
    readOnly: true,
  });
  assert.throws(() => mounted({ name: 'none' }), /which the pod does not define/);
});

test('a subPathExpr expands variables of the container', () => {
  assert.equal(mounted({ subPathExpr: 'logs/$(POD)' }).inside?.path, 'logs/web-0');
  assert.equal(mounted({ subPathExpr: '$$(POD)' }).inside?.path, '$(POD)');
  assert.throws(() => mounted({ subPathExpr: '$(NOBODY)' }), /missing value for "NOBODY"/);
  assert.throws(() => mounted({ subPathExpr: '$(constructor)' }), /missing value for "constructor"/);
});

test('a path that leaves the volume is rejected, also after expansion', () => {
  const ways = [{ subPath: '..' }, { subPath: 'a/../../b' }, { subPathExpr: '$(UP)' }, { subPathExpr: 'a/$(UP)' }];
  for (const way of ways) assert.throws(() => mounted(way), /must not contain '\.\.'/);
  assert.throws(() => mounted({ subPathExpr: '$(ROOT)' }), /must be a relative path/);
});

const target = (path: string) => targetOf('/nowhere', { source: '/s', target: path, readOnly: false });

test('nothing can be mounted at the root, /proc or /dev, or below /dev deeper than one level', async () => {
  assert.equal(await target('/dev/shm/'), '/dev/shm');
  assert.equal(await target('/data/proc'), '/data/proc');
  for (const path of [
    '/',
    '/proc',
    '/a/../proc/sys',
    '/dev',
    '/dev/shm/deep',
    '/..',
    '/dev/.forge',
    '/dev/.forge-launch',
  ]) {
    await assert.rejects(target(path), /cannot be mounted at/, path);
  }
});
