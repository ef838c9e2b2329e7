// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { minutes, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';

/** Corrections without delay; after each further one the delay doubles. */
const freeCorrections = 10;
const shortest = seconds(1);
const longest = minutes(1);
/** Keys without a correction for this long are forgotten. */
const forgetAfter = minutes(2);

/** Corrections of a key to the same outcome. */
interface CorrectionRecord {
  readonly what: string;
  readonly count: number;
  readonly last: number;
}

/**
 * Rate limit for repeated corrections of a key to the same outcome `what`: two writers that undo each other's changes
 * would loop forever. Returns how long to wait; 0 allows and counts the correction.
 */
export function correctionLimit(clock: Clock): (key: string, what: string) => Duration {
  /** Ordered by last correction. */
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
