// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { storagePressure } from './storage-pressure.ts';

const kibibyte = 1024;
const capacity = 1000 * kibibyte;

/** Pods that occupy this much of 1000 KiB, and the messages with which they were evicted after a second. */
async function evictedOf(used: Readonly<Record<string, number>>, gone: readonly string[] = []) {
  const clock = virtualClock();
  const abort = new AbortController();
  const pressure = storagePressure(capacity, { clock, signal: abort.signal });
  const evicted: Record<string, string[]> = {};
  for (const [name, kibibytes] of Object.entries(used)) {
    const until = new AbortController();
    const evict = (message: string) => (evicted[name] ??= []).push(message);
    pressure.count({ usedBytes: async () => kibibytes * kibibyte, evict }, until.signal);
    if (gone.includes(name)) until.abort();
  }
  await clock.advance(seconds(5));
  abort.abort();
  return evicted;
}

describe('the storage of all pods', () => {
  test('that has a tenth left evicts none', async () => {
    assert.deepEqual(await evictedOf({ one: 500, other: 400 }), {});
  });

  test('that has less left evicts the pod that occupies most, once and with the message of the kubelet', async () => {
    assert.deepEqual(await evictedOf({ one: 450, most: 460, small: 10 }), {
      most: ['The node was low on resource: ephemeral-storage. Threshold quantity: 102400, available: 80Ki. '],
    });
  });

  test('evicts more when one is not enough', async () => {
    assert.deepEqual(Object.keys(await evictedOf({ one: 800, two: 950, three: 901, small: 10 })), ['two', 'three']);
  });

  test('does not count a pod that has ended', async () => {
    assert.deepEqual(await evictedOf({ one: 500, ended: 500 }, ['ended']), {});
  });
});
