// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Waits until real programs have done something. */
export async function eventually(what: string, condition: () => unknown): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await setTimeout(50)) if (await condition()) return;
  assert.fail(`not within a minute: ${what}`);
}
