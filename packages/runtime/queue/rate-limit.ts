// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';

const maxPerSecond = 100;

/** Whether a key is enqueued too often: two writers that undo each other's changes would keep the server busy forever. */
export function rateLimit(clock: Clock): (key: string) => boolean {
  const counts = new Map<string, number>();
  let second = Number.NaN;
  return (key) => {
    const now = Math.floor(clock.monotonic() / 1000);
    if (now !== second) counts.clear();
    second = now;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > maxPerSecond;
  };
}
