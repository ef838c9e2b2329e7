// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutes, seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { inactivityTimer } from './inactivity-timer.ts';

describe('the inactivity timer of a watch', () => {
  test('aborts when it has not been restarted within its limit', async () => {
    const clock = virtualClock();
    const silence = inactivityTimer(clock, seconds(75));
    await clock.advance(seconds(60));
    silence.restart(seconds(75));
    await clock.advance(seconds(74));
    assert.equal(silence.signal.aborted, false);
    await clock.advance(seconds(1));
    assert.equal(silence.signal.aborted, true);
  });

  test('can be restarted with a shorter or longer limit', async () => {
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

  test('aborts in time although the clock was set back', async () => {
    const clock = virtualClock();
    let behind = 0;
    const { signal } = inactivityTimer({ ...clock, now: () => clock.now() - behind }, seconds(75));
    await clock.advance(seconds(30));
    behind = minutes(60);
    await clock.advance(seconds(45));
    assert.equal(signal.aborted, true);
  });

  test('does not abort after it was stopped', async () => {
    const clock = virtualClock();
    const silence = inactivityTimer(clock, seconds(75));
    silence.stop();
    await clock.advance(minutes(5));
    assert.equal(silence.signal.aborted, false);
  });
});
