// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';
import { minutes, type Duration } from '../time/duration.ts';

/** A clock that stands still until it is told to move: for tests. */
export interface VirtualClock extends Clock {
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /** Moves on by so much, stopping at every timer on the way and letting its consequences happen. */
  advance(span: Duration): Promise<void>;
  /** Moves from timer to timer until the condition holds; fails when it does not within an hour, or as given. */
  until(condition: () => unknown, within?: Duration): Promise<void>;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** A turn of the event loop: by its end, every promise that waits for no timer has been followed up. */
async function settle(): Promise<void> {
  await setImmediate();
}

/** A virtual clock; it begins on the first day of 2026. */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  const timers = new Set<Timer>();
  let time = start;

  function nextTimer(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }

  /** Moves to the next timer that is due by then; false when there is none. */
  async function step(end: number): Promise<boolean> {
    await settle();
    const timer = nextTimer();
    if (timer === undefined || timer.at > end) return false;
    timers.delete(timer);
    time = Math.max(time, timer.at);
    timer.callback();
    return true;
  }

  return {
    now: () => time,

    after(delay, callback) {
      const timer = { at: time + Math.max(0, delay), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },

    settle,

    async advance(span) {
      const end = time + span;
      while (await step(end));
      time = end;
    },

    async until(condition, within = minutes(60)) {
      const end = time + within;
      await settle();
      while (!(await condition())) {
        if (!(await step(end))) {
          throw new Error(`still not so after ${within / 1000} s of virtual time: ${condition.toString()}`);
        }
        await settle();
      }
    },
  };
}
