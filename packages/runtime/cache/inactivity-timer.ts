// SPDX-License-Identifier: Apache-2.0
import type { Random } from '../random/random.ts';
import type { Clock } from '../time/clock.ts';
import { seconds, type Duration } from '../time/duration.ts';

/** A server sends a bookmark about every minute; one that is this late hangs behind a connection that stands. */
export const maxSilence = seconds(75);

/** How long the server is asked to keep a watch open, as client-go asks: spread, so that not all are reopened together. */
export function watchTimeoutSeconds(random: Random): number {
  return 300 + Math.floor(random.number() * 300);
}

/** The time for which a watch has been silent. */
export interface InactivityTimer {
  /** Aborts when the silence has lasted too long. */
  readonly signal: AbortSignal;
  /** The silence begins anew, and may last so long. */
  restart(longest: Duration): void;
  stop(): void;
}

/** Measures a silence that may last so long. */
export function inactivityTimer(clock: Clock, allowed: Duration): InactivityTimer {
  const tooLong = new AbortController();
  let longest = allowed;
  let since = clock.now();
  let cancel = clock.after(longest, check);

  // Events come in thousands: they move no timer, only the time it compares with.
  function check(): void {
    // After a clock was set back, it has been silent for at least as long as it was until now.
    since = Math.min(since, clock.now());
    const left = since + longest - clock.now();
    if (left <= 0) tooLong.abort();
    else cancel = clock.after(left, check);
  }

  return {
    signal: tooLong.signal,
    restart(next) {
      since = clock.now();
      // Only a shorter one needs its timer earlier.
      if (next < longest) {
        cancel();
        cancel = clock.after(next, check);
      }
      longest = next;
    },
    stop: () => cancel(),
  };
}
