// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { imageStore } from '../images/image-store.ts';
import { currentUser, isRoot, ordinaryUser, type TestUser } from './test/ordinary-user.ts';

const program = fileURLToPath(new URL('test/escapes/try-escapes.ts', import.meta.url));

/** The images that the attempts use. */
async function images() {
  const store = imageStore({ cacheDir: join(homedir(), '.cache/forge'), log: console.error });
  return Promise.all(['forge/tools', 'mariadb:10.11'].map((reference) => store.ensure(reference)));
}

/** Runs all attempts on their own node, and creates a test for each. */
async function tryEscapes(context: TestContext, { prefix, env, folder }: TestUser) {
  const [command, ...args] = [...prefix, process.execPath, program, folder];
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let tried = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { name, problem } = JSON.parse(line) as { name: string; problem?: string };
    tried += 1;
    await context.test(name, () => assert.equal(problem, undefined));
  }
  assert.deepEqual(await closed, [0, null]);
  assert.ok(tried > 0);
}

describe('a pod cannot reach the host', () => {
  test('of a node that root runs', { skip: !isRoot }, async (context) => {
    await tryEscapes(context, await currentUser(context));
  });

  test('of a node that an ordinary user runs', async (context) => {
    await tryEscapes(context, await ordinaryUser(context, images));
  });
});
