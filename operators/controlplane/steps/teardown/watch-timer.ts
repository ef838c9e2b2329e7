// SPDX-License-Identifier: Apache-2.0
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';

// A forgotten one is watched anew.
const remembered = 1024;

/**
 * Tells whether this process has watched a resource for so long, beginning with the first question about it. A timer measures
 * it: a jump of the clock, or the time before the process started, counts for nothing.
 */
export function watchTimer(span: Duration): (uid: string, clock: Clock) => boolean {
  const watched = boundedMap<{ isOver: boolean }>(remembered);
  return (uid, clock) => {
    const known = watched.get(uid);
    if (known !== undefined) return known.isOver;
    const watching = { isOver: false };
    watched.set(uid, watching);
    clock.after(span, () => {
      watching.isOver = true;
    });
    return false;
  };
}
