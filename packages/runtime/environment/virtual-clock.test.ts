// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sleep } from './clock.ts';
import { seconds } from './duration.ts';
import { virtualClock } from './virtual-clock.ts';

describe('the virtual clock', () => {
  test('runs due timers in the order of their time, with the consequences of each before the next', async () => {
    const clock = virtualClock(0);
    const seen: string[] = [];
    clock.after(2000, () => seen.push(`late ${clock.now()}`));
    clock.after(1000, () => {
      seen.push(`early ${clock.now()}`);
      void sleep(clock, 500).then(() => seen.push(`nested ${clock.now()}`));
    });
    await clock.advance(seconds(3));
    assert.deepEqual(seen, ['early 1000', 'nested 1500', 'late 2000']);
    assert.equal(clock.now(), 3000);
  });

  test('does not run timers that are cancelled or not yet due', async () => {
    const clock = virtualClock(0);
    const seen: string[] = [];
    clock.after(1000, () => seen.push('called off'))();
    clock.after(5000, () => seen.push('later'));
    await clock.advance(seconds(4));
    assert.deepEqual(seen, []);
  });

  test('advances until a condition holds, and reports one that did not', async () => {
    const clock = virtualClock(0);
    let open = false;
    clock.after(90_000, () => (open = true));
    await clock.until(() => open);
    assert.equal(clock.now(), 90_000);
    await assert.rejects(
      clock.until(() => !open, seconds(1)),
      /condition not met after 1 s of virtual time: \(\) => !open/,
    );
  });
});
