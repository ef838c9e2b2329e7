// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from './seeded-random.ts';

const sample = (seed: number) => {
  const random = seededRandom(seed);
  return [random.number(), random.uuid(), ...random.bytes(4), random.keys.make().export({ format: 'jwk' }).d];
};

describe('seeded randomness', () => {
  test('repeats for the same seed and differs for another', () => {
    assert.deepEqual(sample(7), sample(7));
    assert.notDeepEqual(sample(7), sample(8));
  });

  test('is spread evenly over [0, 1)', () => {
    const random = seededRandom();
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let count = 0; count < 10_000; count += 1) {
      const bucket = Math.floor(random.number() * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    assert.equal(buckets.length, 10);
    for (const size of buckets) assert.ok(size > 850 && size < 1150, String(buckets));
  });

  test('gives version 4 uuids', () => {
    assert.match(seededRandom().uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
