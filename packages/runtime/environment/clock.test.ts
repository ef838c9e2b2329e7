// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './clock.ts';

test('the system clock can wait for months, and be cancelled', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const day = 86_400_000;
  const fired: string[] = [];
  systemClock.after(60 * day, () => fired.push('two months'));
  const callOff = systemClock.after(60 * day, () => fired.push('never'));
  context.mock.timers.tick(25 * day);
  callOff();
  for (let days = 25; days < 59; days += 1) context.mock.timers.tick(day);
  assert.deepEqual(fired, []);
  context.mock.timers.tick(2 * day);
  assert.deepEqual(fired, ['two months']);
});

test('the system clock yields to the event loop in long-running work', async () => {
  const turns: number[] = [];
  setImmediate(() => turns.push(Date.now()));
  const end = Date.now() + 30_000;
  while (turns.length === 0 && Date.now() < end) await systemClock.yieldToEventLoop?.();
  assert.equal(turns.length, 1);
});
