// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OrderedMap } from './ordered-map.ts';

const key = fc.stringMatching(/^[abc]{1,3}(\/[abc]{1,3})?$/);
const step = fc.record({ key, value: fc.option(fc.nat(), { nil: undefined }) });

test('it holds what a plain map holds after the same changes, in order of the keys', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), key, key, (steps, prefix, from) => {
      const plain = new Map<string, number>();
      let ordered = OrderedMap.fromSorted<number>([]);
      for (const { key: at, value } of steps) {
        if (value === undefined) plain.delete(at);
        else plain.set(at, value);
        ordered = value === undefined ? ordered.without(at) : ordered.with(at, value);
      }
      const sorted = [...plain].toSorted(([one], [other]) => (one < other ? -1 : 1));
      assert.deepEqual(
        [...ordered.withPrefix('')],
        sorted.map(([, value]) => value),
      );
      const expected = sorted.filter(([at]) => at.startsWith(prefix) && at >= from).map(([, value]) => value);
      assert.deepEqual([...ordered.withPrefix(prefix, from)], expected);
      assert.equal(ordered.count(prefix, from), expected.length);
      assert.equal(ordered.size, plain.size);
      for (const { key: at } of steps) assert.equal(ordered.get(at), plain.get(at));
    }),
  );
});

test('an old state is unaffected by changes, across many leaves', () => {
  const entries = Array.from({ length: 1000 }, (_, index) => [String(index).padStart(4, '0'), index] as const);
  const full = OrderedMap.fromSorted(entries);
  let shrinking = full;
  for (const [at] of entries) shrinking = shrinking.without(at);
  assert.equal([...shrinking.withPrefix('')].length, 0);
  assert.deepEqual([...shrinking.with('a', 1).withPrefix('')], [1]);
  assert.equal([...full.withPrefix('')].length, 1000);
  assert.equal(full.without('none'), full);
});
