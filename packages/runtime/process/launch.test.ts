// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const fileOf = (name: string) => fileURLToPath(new URL(`test/${name}.mjs`, import.meta.url));
const { npm_command: _, NODE_COMPILE_CACHE: __, ...environment } = process.env;

/** A started program: the process that was started, the one that does the work, and its output from then on. */
async function started(command: readonly string[], env: NodeJS.ProcessEnv = environment) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = String((await lines.next()).value);
  return {
    child,
    worker: Number(first.replace('running ', '')),
    next: async () => (await lines.next()).value as unknown,
  };
}

async function exitCodeOf(child: ChildProcess): Promise<unknown> {
  return child.exitCode ?? (await once(child, 'exit'))[0];
}

describe('the launcher', { concurrency: true }, () => {
  test('passes signals on and ends with the exit code of its child', async () => {
    const { child, worker, next } = await started([process.execPath, fileOf('supervised')]);
    assert.notEqual(worker, child.pid);
    child.kill('SIGTERM');
    assert.equal(await next(), 'stopping');
    assert.equal(await exitCodeOf(child), 7);
  });

  test('ends its child when it is killed', async () => {
    const { child, next } = await started([process.execPath, fileOf('supervised')]);
    child.kill('SIGKILL');
    assert.equal(await next(), 'stopping');
    assert.equal(await next(), undefined);
  });

  for (const program of ['supervised', 'unsupervised']) {
    const viaShell = ['sh', '-c', '"$0" "$1"; exit $?', process.execPath, fileOf(program)];
    const env = { ...environment, npm_command: 'exec' };
    test(`ends a program (${program}) when the shell that npm put before it dies`, async () => {
      const { child, next } = await started(viaShell, env);
      child.kill('SIGTERM');
      assert.equal(await next(), 'stopping');
      assert.equal(await next(), undefined);
    });

    test(`ends a program (${program}) when npm dies and its shell does not`, async () => {
      const npm = "require('child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })";
      const { child, next } = await started([process.execPath, '--eval', npm, '--', ...viaShell], env);
      child.kill('SIGKILL');
      assert.equal(await next(), 'stopping');
      assert.equal(await next(), undefined);
    });
  }

  test('leaves nothing in the current folder, also where compiled code cannot be kept', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'forge-launch-'));
    try {
      await mkdir(join(dir, 'current'));
      await writeFile(join(dir, 'file'), '');
      const places = [
        { XDG_CACHE_HOME: join(dir, 'cache') },
        { XDG_CACHE_HOME: join(dir, 'file') },
        { XDG_CACHE_HOME: '', HOME: undefined, TMPDIR: join(dir, 'file') },
      ];
      for (const place of places) {
        const env = { ...environment, ...place };
        const child = spawn(process.execPath, [fileOf('unsupervised'), '--once'], { cwd: join(dir, 'current'), env });
        assert.equal(await exitCodeOf(child), 0);
        assert.deepEqual(await readdir(join(dir, 'current')), []);
      }
      assert.deepEqual(await readdir(join(dir, 'cache', 'forge')), ['compiled']);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
