// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotKey, snapshotPrefix } from './snapshot-key.ts';

const owner = { namespace: 'ops', name: 'demo' };
const time = new Date('2026-01-31T03:00:00.500Z');

test('snapshots are kept by namespace and cluster, below the prefix without its outer slashes', () => {
  assert.equal(snapshotPrefix(owner), 'ops/demo/');
  assert.equal(snapshotPrefix({ ...owner, pathPrefix: '/a/b/' }), 'a/b/ops/demo/');
  assert.equal(snapshotPrefix({ ...owner, pathPrefix: '/' }), 'ops/demo/');
});

test('the name of a snapshot has its time and what it is for', () => {
  const id = '0a1b2c3d';
  assert.equal(snapshotKey(owner, { time, id }), 'ops/demo/2026-01-31T03-00-00Z-0a1b2c3d.snap');
  assert.equal(
    snapshotKey({ ...owner, pathPrefix: 'p' }, { time, id, filenamePrefix: 'pre-upgrade' }),
    'p/ops/demo/pre-upgrade-2026-01-31T03-00-00Z-0a1b2c3d.snap',
  );
});
