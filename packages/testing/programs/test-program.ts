// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { imageStore, type AssembledImage } from '@forge/cluster/images/image-store.ts';
import type { TestUser } from './ordinary-user.ts';

/** Images from the cache of the user who runs the tests; missing ones are assembled. */
export function cachedImages(...references: readonly string[]): Promise<AssembledImage[]> {
  const store = imageStore({ cacheDir: join(homedir(), '.cache/forge'), log: console.error });
  return Promise.all(references.map((reference) => store.ensure(reference)));
}

/**
 * Runs a program that starts its own node in the folder of its first argument, and reports checks with
 * {@link report}: each becomes a test.
 */
export async function runTestProgram(
  context: TestContext,
  program: string,
  { folder, prefix, env }: TestUser,
): Promise<void> {
  const [command, ...args] = [...prefix, process.execPath, program, folder];
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let reported = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { name, problem } = JSON.parse(line) as { name: string; problem?: string };
    reported += 1;
    await context.test(name, () => assert.equal(problem, undefined));
  }
  assert.deepEqual(await closed, [0, null]);
  assert.ok(reported > 0);
}

/** Reports a check of a test program, with the problem if it failed. */
export function report(name: string, problem: string | undefined): void {
  process.stdout.write(`${JSON.stringify({ name, problem })}\n`);
}
