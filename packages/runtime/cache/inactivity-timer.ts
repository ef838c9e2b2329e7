// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';

/** The timeout of a watch, as client-go chooses it: spread, so that not all watches are reopened together. */
export function watchTimeoutSeconds(random: Random): number {
  return 300 + Math.floor(random.number() * 300);
}

/** Limits how long a watch may be silent. */
export interface InactivityTimer {
  /** Aborts when the watch has been silent for too long. */
  readonly signal: AbortSignal;
  /** Starts over, with this limit. */
  restart(longest: Duration): void;
  stop(): void;
}

/** Starts a timer with this limit. */
export function inactivityTimer(clock: Clock, allowed: Duration): InactivityTimer {
  const tooLong = new AbortController();
  let longest = allowed;
  let since = clock.monotonic();
  let cancel = clock.after(longest, check);

  // Events are frequent: they do not start a new timer, only change the time that the running one checks.
  function check(): void {
    const left = since + longest - clock.monotonic();
    if (left <= 0) tooLong.abort();
    else cancel = clock.after(left, check);
  }

  return {
    signal: tooLong.signal,
    restart(next) {
      since = clock.monotonic();
      // Only a shorter limit needs an earlier timer.
      if (next < longest) {
        cancel();
        cancel = clock.after(next, check);
      }
      longest = next;
    },
    stop: () => cancel(),
  };
}
