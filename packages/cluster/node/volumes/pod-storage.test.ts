// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { test } from 'node:test';
import type { Volume } from '@forge/kube/generated/types.ts';
import { emptyDirSizes } from './pod-storage.ts';

const mebibyte = 1024 * 1024;
const quarter = Math.floor(totalmem() / 4);

/** The sizes of these emptyDirs in one pod, in their order. */
function sizesOf(...emptyDirs: NonNullable<Volume['emptyDir']>[]): (number | undefined)[] {
  const volumes = emptyDirs.map((emptyDir, index) => ({ name: `volume-${index}`, emptyDir }));
  const sizes = emptyDirSizes([{ name: 'other', configMap: {} }, ...volumes]);
  assert.equal(sizes.size, emptyDirs.length);
  return volumes.map(({ name }) => sizes.get(name));
}

test('an emptyDir in memory has the size of its limit; another can exceed it a little, and is evicted then', () => {
  assert.deepEqual(sizesOf({ medium: 'Memory', sizeLimit: '8Mi' }), [8 * mebibyte]);
  assert.deepEqual(sizesOf({ sizeLimit: '8Mi' }), [9 * mebibyte]);
  assert.deepEqual(sizesOf({ sizeLimit: '100Mi' }), [110 * mebibyte]);
});

test('an emptyDir without a limit has a quarter of the memory, and none has more', () => {
  assert.deepEqual(sizesOf({}), [quarter]);
  assert.deepEqual(sizesOf({ medium: 'Memory', sizeLimit: '0' }), [quarter]);
  assert.deepEqual(sizesOf({ sizeLimit: '1Ti' }), [quarter]);
  assert.deepEqual(sizesOf({ medium: 'Memory', sizeLimit: '1Ti' }), [quarter]);
});

test('the emptyDirs of a pod have no more together: what a small one does not need, the others share', () => {
  const rest = quarter - 8 * mebibyte;
  const half = Math.floor(rest / 2);
  assert.deepEqual(sizesOf({}, { medium: 'Memory', sizeLimit: '8Mi' }, { sizeLimit: '1Ti' }), [
    half,
    8 * mebibyte,
    rest - half,
  ]);
});
