// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { minutes, type Duration } from './duration.ts';

/** A clock that stands still until a test advances it. */
export interface VirtualClock extends Clock {
  /** Lets everything run that waits for no timer. */
  settle(): Promise<void>;
  /** Advances by this span, firing every timer on the way and letting its consequences run. */
  advance(span: Duration): Promise<void>;
  /** Advances from timer to timer until the condition holds; throws after an hour, or `within`. */
  until(condition: () => unknown, within?: Duration): Promise<void>;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** One turn of the event loop: afterwards every promise that waits for no timer has settled. */
async function settle(): Promise<void> {
  await setImmediate();
}

/** A virtual clock; it starts on 1 January 2026. */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  const timers = new Set<Timer>();
  let time = start;

  function nextTimer(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }

  /** Advances to the next timer that is due by then; false when there is none. */
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
    monotonic: () => time,

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
          throw new Error(`condition not met after ${within / 1000} s of virtual time: ${condition.toString()}`);
        }
        await settle();
      }
    },
  };
}
