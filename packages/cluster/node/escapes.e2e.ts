// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../host/run-command.ts';
import { imageStore } from '../images/image-store.ts';

const program = fileURLToPath(new URL('test/escapes/try-escapes.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** An unprivileged user. */
const nobody = '65534';

/** A folder owned by a user. */
async function folderOf(context: TestContext, user: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-escapes-'));
  context.after(() => runCommand(['rm', '-rf', folder]));
  await chmod(folder, 0o700);
  if (user !== undefined) await runCommand(['chown', `${user}:${user}`, folder]);
  return folder;
}

/** Runs all attempts on their own node, and creates a test for each. */
async function tryEscapes(context: TestContext, prefix: readonly string[], env: NodeJS.ProcessEnv, folder: string) {
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
    await tryEscapes(context, [], process.env, await folderOf(context, undefined));
  });

  test('of a node that an ordinary user runs', async (context) => {
    if (!isRoot) return tryEscapes(context, [], process.env, await folderOf(context, undefined));
    const home = await folderOf(context, nobody);
    // Images belong to the user who runs the node: these are copies.
    const cacheDir = join(homedir(), '.cache/forge');
    const images = imageStore({ cacheDir, log: console.error });
    const roots = await Promise.all(['forge/tools', 'mariadb:10.11'].map((reference) => images.ensure(reference)));
    const layers = roots.map(({ root }) => join(root, '..'));
    const copy = 'mkdir -p "$0" && cp -a "$@" "$0" && chown -R "$UID_OF_COPY:$UID_OF_COPY" "$HOME/.cache"';
    const env = { ...process.env, HOME: home, UID_OF_COPY: nobody };
    await runCommand(['sh', '-c', copy, join(home, '.cache/forge/layers'), ...layers], { env });
    const asNobody = ['setpriv', '--reuid', nobody, '--regid', nobody, '--clear-groups', '--inh-caps=-all', '--'];
    await tryEscapes(context, asNobody, env, home);
  });
});
