// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writeRate } from './write-rate.ts';

describe('the rate of writes', () => {
  test('is exceeded by the 31st write of one process to one object in a minute', () => {
    const note = writeRate();
    const found = Array.from({ length: 31 }, (_, at) => note('operator', 'secrets/default/a', at * 1000));
    assert.deepEqual(found.slice(0, 30), Array.from({ length: 30 }));
    assert.equal(found[30], 'operator wrote secrets/default/a more than 30 times in a minute');
  });

  test('may have another limit', () => {
    const note = writeRate(2);
    const found = [0, 1, 2].map((at) => note('operator', 'secrets/default/a', at));
    assert.deepEqual(found, [undefined, undefined, 'operator wrote secrets/default/a more than 2 times in a minute']);
  });

  test('is counted per object and process, and per minute', () => {
    const note = writeRate();
    const writes = Array.from({ length: 120 }, (_, at) => [
      note('operator', `secrets/default/${at % 4}`, at * 500),
      note('other', 'secrets/default/0', at * 2000),
    ]);
    assert.deepEqual(writes.flat().filter(Boolean), []);
  });
});
