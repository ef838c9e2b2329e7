// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/time/clock.ts';
import { minutes, now, seconds, type Duration } from '@forge/runtime/time/duration.ts';

/** So many corrections are made at once; after each further one the rest doubles. */
const freeCorrections = 10;
const shortest = seconds(1);
const longest = minutes(1);
/** What was not corrected for so long is forgotten. */
const forgetAfter = minutes(2);

/** How often a key was made the same. */
interface CorrectionRecord {
  readonly what: string;
  readonly count: number;
  readonly last: number;
}

/**
 * Limits how often a key is made `what` it was made before: two writers who each undo what the other wrote would go on for
 * ever. Gives how long to wait; when that is nothing, the correction is counted.
 */
export function correctionLimit(clock: Clock): (key: string, what: string) => Duration {
  /** In order of the last correction. */
  const records = new Map<string, CorrectionRecord>();

  function dropOld(): void {
    for (const [key, { last }] of records) {
      if (clock.now() - last < forgetAfter) return;
      records.delete(key);
    }
  }

  return (key, what) => {
    dropOld();
    const known = records.get(key);
    const { count, last } = known?.what === what ? known : { count: 0, last: 0 };
    const delay = count < freeCorrections ? 0 : Math.min(longest, shortest * 2 ** (count - freeCorrections));
    const left = last + delay - clock.now();
    if (left > 0) return left as Duration;
    records.delete(key);
    records.set(key, { what, count: count + 1, last: clock.now() });
    return now;
  };
}
