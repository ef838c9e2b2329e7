// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

/** The timeout, and the details that a failure prints. */
interface EventuallyOptions {
  minutes?: number;
  observed?: () => unknown;
}

/** Waits until the condition holds, for tests with real programs; returns its value. */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  { minutes = 5, observed }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined>> {
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; await setTimeout(50)) {
    const found = await condition();
    if (found) return found as Exclude<T, false | undefined>;
  }
  const last = observed === undefined ? '' : `\n${inspect(await observed(), { depth: 8 })}`;
  assert.fail(`not within ${minutes} min: ${what}${last}`);
}
