// SPDX-License-Identifier: Apache-2.0
import { now, type Duration } from './duration.ts';
import type { Random } from './random.ts';

/** Exponential backoff: the delay doubles with each failure, from `base` to `cap`. */
export interface Backoff {
  readonly base: Duration;
  readonly cap: Duration;
}

/**
 * The delay after this many failures, but at least `atLeast`; its second half is random, so that many that failed
 * together do not retry together.
 */
export function backoffDelay({ base, cap }: Backoff, failures: number, random: Random, atLeast = now): Duration {
  const whole = Math.max(2 * atLeast, Math.min(cap, base * 2 ** (failures - 1)));
  return ((whole * (1 + random.number())) / 2) as Duration;
}
