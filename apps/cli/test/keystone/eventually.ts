// SPDX-License-Identifier: Apache-2.0
import { inspect } from 'node:util';
import { sleep, systemClock } from '@forge/runtime/time/clock.ts';
import { milliseconds } from '@forge/runtime/time/duration.ts';

const interval = milliseconds(100);

/** Waits until the condition yields something; fails when it does not in time, with what `observed` reports then. */
export async function eventually<T>(
  what: string,
  condition: () => Promise<T | false | undefined>,
  { longest = 300_000, observed }: { longest?: number; observed?: () => Promise<unknown> } = {},
): Promise<T> {
  for (const end = systemClock.now() + longest; systemClock.now() < end; await sleep(systemClock, interval)) {
    const found = await condition();
    if (found !== undefined && found !== false) return found;
  }
  const last = observed === undefined ? '' : `\n${inspect(await observed(), { depth: 8 })}`;
  throw new Error(`not within ${longest / 1000} s: ${what}${last}`);
}
