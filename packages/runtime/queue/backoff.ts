// SPDX-License-Identifier: Apache-2.0
import type { Random } from '../random/random.ts';
import { now, type Duration } from '../time/duration.ts';

/** How long to wait between tries: twice as long each time, from `base` to `cap`. */
export interface Backoff {
  readonly base: Duration;
  readonly cap: Duration;
}

/**
 * The wait after so many failures, but no shorter than somebody asked for; its second half is random, so that many who
 * failed together do not come back together.
 */
export function backoffDelay({ base, cap }: Backoff, failures: number, random: Random, atLeast = now): Duration {
  const whole = Math.max(2 * atLeast, Math.min(cap, base * 2 ** (failures - 1)));
  return ((whole * (1 + random.number())) / 2) as Duration;
}
