// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { milliseconds, seconds } from '../environment/duration.ts';
import { expiringMemo } from './expiring-memo.ts';

describe('a memo with expiry', () => {
  let time = 0;
  const clock = { monotonic: () => time };
  const make = () => expiringMemo<string>({ clock, size: 2, holdsFor: (value) => seconds(value.length) });

  test('computes a value again once the old one has expired, and still knows the old one', async () => {
    const memo = make();
    assert.equal(await memo.get('a', async () => 'one'), 'one');
    time += seconds(3) - 1;
    assert.equal(await memo.get('a', async () => 'two'), 'one');
    assert.equal(memo.last('a')?.left, milliseconds(1));
    time += 1;
    assert.deepEqual(memo.last('a'), { value: 'one', left: milliseconds(0) });
    assert.equal(await memo.get('a', async () => 'two'), 'two');
  });

  test('does not remember an error', async () => {
    const memo = make();
    await assert.rejects(
      memo.get('a', () => Promise.reject(new Error('no network'))),
      /no network/,
    );
    assert.equal(await memo.get('a', async () => 'one'), 'one');
  });

  test('keeps a limited number of values', () => {
    const memo = make();
    for (const key of ['a', 'b', 'c']) memo.set(key, 'one');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => memo.last(key)?.value),
      [undefined, 'one', 'one'],
    );
  });
});
