// SPDX-License-Identifier: Apache-2.0
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';

// A forgotten one is watched anew.
const remembered = 1024;

/**
 * Tells whether this process has watched a resource for so long, beginning with the first question about it: a clock that is
 * set, or the time before the process started, counts for nothing.
 */
export function watchTimer(span: Duration): (uid: string, clock: Pick<Clock, 'monotonic'>) => boolean {
  const began = boundedMap<number>(remembered);
  return (uid, clock) => {
    const now = clock.monotonic();
    const since = began.get(uid);
    if (since === undefined) began.set(uid, now);
    return now - (since ?? now) >= span;
  };
}
