// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { virtualClock } from '../testing/virtual-clock.ts';
import { minutes, seconds } from '../time/duration.ts';
import { inactivityTimer } from './inactivity-timer.ts';

describe('the silence of a watch', () => {
  test('lasts too long when nothing has restarted it for the time allowed', async () => {
    const clock = virtualClock();
    const silence = inactivityTimer(clock, seconds(75));
    await clock.advance(seconds(60));
    silence.restart(seconds(75));
    await clock.advance(seconds(74));
    assert.equal(silence.signal.aborted, false);
    await clock.advance(seconds(1));
    assert.equal(silence.signal.aborted, true);
  });

  test('may be allowed less time than before, or more', async () => {
    const clock = virtualClock();
    const shorter = inactivityTimer(clock, minutes(5));
    shorter.restart(seconds(75));
    const longer = inactivityTimer(clock, seconds(75));
    longer.restart(minutes(5));
    await clock.advance(seconds(75));
    assert.deepEqual([shorter.signal.aborted, longer.signal.aborted], [true, false]);
    await clock.advance(minutes(5));
    assert.equal(longer.signal.aborted, true);
  });

  test('is noticed in time although the clock was set back', async () => {
    const clock = virtualClock();
    let behind = 0;
    const { signal } = inactivityTimer({ ...clock, now: () => clock.now() - behind }, seconds(75));
    behind = minutes(60);
    await clock.advance(seconds(150));
    assert.equal(signal.aborted, true);
  });

  test('is not measured after its end', async () => {
    const clock = virtualClock();
    const silence = inactivityTimer(clock, seconds(75));
    silence.stop();
    await clock.advance(minutes(5));
    assert.equal(silence.signal.aborted, false);
  });
});
