// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

const minutes = 5;

/** Waits until real programs have done something; returns what the condition found. A failure shows what `observed` returns. */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  { observed }: { observed?: () => unknown } = {},
): Promise<Exclude<T, false | undefined>> {
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; await setTimeout(50)) {
    const found = await condition();
    if (found) return found as Exclude<T, false | undefined>;
  }
  const last = observed === undefined ? '' : `\n${inspect(await observed(), { depth: 8 })}`;
  assert.fail(`not within ${minutes} min: ${what}${last}`);
}
