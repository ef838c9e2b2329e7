// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('test/small.mjs', import.meta.url));
const { NODE_OPTIONS: _, MALLOC_ARENA_MAX: __, ...plain } = process.env;

async function observed(env: NodeJS.ProcessEnv): Promise<Record<string, unknown> & { pid: number }> {
  const child = spawn(process.execPath, [program, '--flag', 'a b'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { ...(JSON.parse(output) as { pid: number }), spawned: child.pid };
}

test('an operator executes itself again with settings that keep its memory small, as the same process', async () => {
  const { pid, spawned, args, arenas, mapped, limit } = await observed(plain);
  assert.deepEqual({ pid, args }, { pid: spawned, args: ['--flag', 'a b'] });
  assert.deepEqual({ arenas, mapped }, { arenas: '1', mapped: '16384' });
  const available = process.constrainedMemory() || Infinity;
  assert.ok(Number(limit) < available, 'the heap must fit into the memory that the process may have');
});

test('an operator keeps the settings of its user', async () => {
  const { options, limit } = await observed({ ...plain, NODE_OPTIONS: '--max-old-space-size=99' });
  assert.equal(options, '--max-semi-space-size=2 --max-old-space-size=99');
  assert.ok(Number(limit) < 120 * 1024 * 1024, `the limit is ${String(limit)}`);
  const { options: unchanged } = await observed({ ...plain, MALLOC_ARENA_MAX: '4' });
  assert.equal(unchanged, undefined);
});
