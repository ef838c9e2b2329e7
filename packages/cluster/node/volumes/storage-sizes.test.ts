// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { describe, test } from 'node:test';
import type { Container, PodSpec, Volume } from '@forge/kube/generated/types.ts';
import { containerStorage, emptyDirSizes } from './storage-sizes.ts';

const mebibyte = 1024 * 1024;
const quarter = Math.floor(totalmem() / 4);
const half = Math.floor(quarter / 2);

/** A pod with these emptyDirs and containers. */
function podWith(emptyDirs: NonNullable<Volume['emptyDir']>[], names: readonly string[] = ['main']): PodSpec {
  const volumes = emptyDirs.map((emptyDir, index) => ({ name: `volume-${index}`, emptyDir }));
  return { volumes: [{ name: 'other', configMap: {} }, ...volumes], containers: names.map((name) => ({ name })) };
}

/** The sizes of these emptyDirs in a pod with one container, in their order. */
function sizesOf(...emptyDirs: NonNullable<Volume['emptyDir']>[]): (number | undefined)[] {
  const sizes = emptyDirSizes(podWith(emptyDirs));
  assert.equal(sizes.size, emptyDirs.length);
  return emptyDirs.map((_, index) => sizes.get(`volume-${index}`));
}

/** All that this container can write. */
function storageOf(spec: PodSpec, container = 'main'): number {
  const { layer, sharedMemory } = containerStorage(spec, container);
  return layer + sharedMemory;
}

test('an emptyDir in memory has the size of its limit; another can exceed it a little, and is evicted then', () => {
  assert.deepEqual(sizesOf({ medium: 'Memory', sizeLimit: '8Mi' }), [8 * mebibyte]);
  assert.deepEqual(sizesOf({ sizeLimit: '8Mi' }), [9 * mebibyte]);
  assert.deepEqual(sizesOf({ sizeLimit: '100Mi' }), [110 * mebibyte]);
});

test('an emptyDir without a limit shares a quarter of the memory with the container, and none has more', () => {
  assert.deepEqual(sizesOf({}), [half]);
  assert.deepEqual(sizesOf({ medium: 'Memory', sizeLimit: '0' }), [half]);
  assert.deepEqual(sizesOf({ sizeLimit: '1Ti' }), [half]);
  assert.deepEqual(sizesOf({ medium: 'Memory', sizeLimit: '1Ti' }), [half]);
});

test('what a small emptyDir does not need, the others and the container share', () => {
  const third = Math.floor((quarter - 8 * mebibyte) / 3);
  const [first = 0, small, second = 0] = sizesOf({}, { medium: 'Memory', sizeLimit: '8Mi' }, { sizeLimit: '1Ti' });
  assert.equal(small, 8 * mebibyte);
  for (const size of [first, second]) assert.ok(Math.abs(size - third) <= 1);
});

describe('a container', () => {
  test('has a quarter of the memory when it is alone, of that 64 MiB for /dev/shm', () => {
    const spec = podWith([]);
    assert.equal(storageOf(spec), quarter);
    assert.equal(containerStorage(spec, 'main').sharedMemory, Math.min(64 * mebibyte, Math.floor(quarter / 4)));
  });

  test('has no more with others and emptyDirs together, sidecars included', () => {
    const names = ['one', 'two', 'three'];
    const sidecar: Container = { name: 'sidecar', restartPolicy: 'Always' };
    const spec = { ...podWith([{}, { sizeLimit: '1Ti' }], names), initContainers: [{ name: 'setup' }, sidecar] };
    const emptyDirs = [...emptyDirSizes(spec).values()];
    const running = [...names, 'sidecar'].map((name) => storageOf(spec, name));
    const sum = [...emptyDirs, ...running].reduce((one, other) => one + other, 0);
    assert.ok(sum <= quarter && sum > quarter - 10, `${sum} of ${quarter}`);
  });

  test('that initializes the pod has the share of one that starts later', () => {
    const spec = { ...podWith([], ['one', 'two']), initContainers: [{ name: 'setup' }] };
    assert.equal(storageOf(spec, 'setup'), storageOf(spec, 'one'));
  });

  test('that is ephemeral has half of what the earlier ones left of 256 MiB', () => {
    const ephemeralContainers = Array.from({ length: 40 }, (_, index) => ({ name: `debug-${index}` }));
    const spec = { ...podWith([]), ephemeralContainers };
    assert.equal(storageOf(spec), quarter);
    assert.deepEqual(
      ['debug-0', 'debug-1', 'debug-2', 'debug-39'].map((name) => storageOf(spec, name) / mebibyte),
      [128, 64, 32, 1],
    );
  });
});
