// SPDX-License-Identifier: Apache-2.0
import { minutes, type Duration } from './duration.ts';

/** How far two clocks may differ without one of them having been set. */
const clockSkew = minutes(1);

/** Whether the delay has passed since a time that another clock recorded; a time far in the future counts as long ago. */
export function hasElapsed(since: number, delay: Duration, now: number): boolean {
  return now - since >= delay || since - now > clockSkew;
}
