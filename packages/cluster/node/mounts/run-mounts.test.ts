// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableLine } from './run-mounts.ts';

test('special characters in the paths of a mount are escaped in its fstab line', () => {
  assert.equal(
    tableLine({ source: '/a b', target: '#/c\td\n', options: 'bind,ro' }),
    '/a\\040b \\043/c\\011d\\012 none bind,ro 0 0\n',
  );
  const options = String.raw`lowerdir=/a\:b`;
  assert.equal(
    tableLine({ source: 'overlay', target: '/r', type: 'overlay', options }),
    'overlay /r overlay lowerdir=/a\\134:b 0 0\n',
  );
});
