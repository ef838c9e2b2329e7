// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSnapshotKey, snapshotKey, snapshotPrefix, snapshotTime } from './snapshot-key.ts';

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

test('names of snapshots are distinguished from others, and their time is read', () => {
  const key = snapshotKey(owner, { time, id: '0a1b2c3d', filenamePrefix: 'pre-upgrade' });
  assert.equal(snapshotTime(key), Date.parse('2026-01-31T03:00:00Z'));
  assert.equal(snapshotTime('ops/demo/by-hand.snap'), undefined);
  assert.equal(snapshotTime('ops/demo/2026-99-31T03-00-00Z-0a1b2c3d.snap'), undefined);
  const isOurs = (each: string) => isSnapshotKey(each, snapshotPrefix(owner));
  assert.deepEqual(
    [key, 'ops/demo/by-hand.snap', 'ops/demo/old/a.snap', 'ops/demo/notes.txt', 'ops/demo2/a.snap'].map(isOurs),
    [true, true, false, false, false],
  );
});
