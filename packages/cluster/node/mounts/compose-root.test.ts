// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCreatedBySandbox, overlayOptions } from './compose-root.ts';

test('colons and commas in folder names are escaped in overlay options', () => {
  assert.equal(
    overlayOptions('/a:b', { upper: '/u,v', work: '/w' }),
    String.raw`lowerdir=/a\:b,upperdir=/u\,v,workdir=/w,userxattr`,
  );
});

test('paths below /dev and /proc are created by the sandbox', () => {
  assert.deepEqual(['/dev', '/dev/shm', '/proc/1', '/device', '/etc/dev'].map(isCreatedBySandbox), [
    true,
    true,
    true,
    false,
    false,
  ]);
});
