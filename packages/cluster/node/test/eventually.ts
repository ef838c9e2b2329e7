// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Waits until real programs have done something, for a minute unless they take longer. */
export async function eventually(what: string, condition: () => unknown, minutes = 1): Promise<void> {
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; await setTimeout(50)) if (await condition()) return;
  assert.fail(`not within ${minutes} min: ${what}`);
}
