// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assemblers } from './assemblers.ts';
import { confined, filteredLater, unconfined } from './confine.ts';
import { launcher, type SystemCall } from './launcher.ts';
import { thisMachine } from './machine.ts';

describe('a launcher', { skip: process.platform !== 'linux' }, () => {
  const machine = thisMachine();
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-launcher-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function write(name: string, program: Buffer): Promise<string> {
    const path = join(folder, name);
    await rm(path, { force: true });
    await writeFile(path, program, { mode: 0o755 });
    return path;
  }

  async function run(program: Buffer, ...command: string[]) {
    const path = await write('launcher', program);
    const { status, stdout, stderr } = spawnSync(path, command, { encoding: 'utf8', env: { COLOR: 'red' } });
    return { status, output: stdout + stderr };
  }

  test('executes its arguments with its environment, and returns their exit code', async () => {
    const { status, output } = await run(
      launcher(machine, []),
      '/bin/sh',
      '-c',
      'echo $COLOR $0 "$1"; exit 3',
      'a',
      'b c',
    );
    assert.deepEqual([status, output], [3, 'red a b c\n']);
  });

  test('exits with 126 when there is nothing to execute, or a mandatory call fails', async () => {
    assert.equal((await run(launcher(machine, []))).status, 126);
    assert.equal((await run(launcher(machine, []), '/nowhere')).status, 126);
    const failing = { number: { x64: 500, arm64: 500 }, arguments: [] };
    assert.equal((await run(launcher(machine, [failing]), '/bin/true')).status, 126);
    assert.equal((await run(launcher(machine, [{ ...failing, mayFail: true }]), '/bin/true')).status, 0);
  });

  test('installs the filter, and allows no new privileges', async () => {
    const { output } = await run(confined(machine, {}), '/bin/sh', '-c', 'cat /proc/self/status; unshare true');
    assert.match(output, /^NoNewPrivs:\s1$/m);
    assert.match(output, /^Seccomp:\s2$/m);
    assert.match(output, /unshare failed: Operation not permitted/);
    const other = await run(unconfined(machine, {}), '/bin/cat', '/proc/self/status');
    assert.match(other.output, /^Seccomp_filters:\s0$/m);
  });

  describe('leaves the session keyring of its user behind', () => {
    const [type, name] = [() => Buffer.from('user\0'), () => Buffer.from('forge-test\0')];
    const session = 2 ** 32 - 3;
    const enter: SystemCall = { number: { x64: 250, arm64: 219 }, arguments: [1, 0] };
    const add = { number: { x64: 248, arm64: 217 }, arguments: [type, name, () => Buffer.from('x'), 1, session] };
    const find = { number: { x64: 250, arm64: 219 }, arguments: [10, session, type, name, 0] };
    const holder = launcher(machine, [enter, add]);

    for (const [kind, inner] of Object.entries({ unconfined, filteredLater })) {
      test(`when it is ${kind}`, async (context) => {
        const finder = await write('finder', launcher(machine, [find]));
        if ((await run(holder, finder, '/bin/true')).status !== 0) return context.skip('keys cannot be used here');
        assert.equal((await run(holder, await write('inner', inner(machine, {})), finder, '/bin/true')).status, 126);
      });
    }

    test('before the filter refuses it', () => {
      for (const each of ['x64', 'arm64'] as const) {
        const { argument, call } = assemblers[each];
        const code = Buffer.concat([argument(0, 1), argument(1, 0), call(enter.number[each])]);
        assert.ok(confined(each, {}).includes(code), each);
      }
    });

    test('and does not start a process without a filter in it', async () => {
      // The outer filter lets nobody join a keyring.
      const inside = async (inner: Buffer) => {
        const { status } = await run(confined(machine, {}), await write('inner', inner), '/bin/true');
        return status;
      };
      assert.equal(await inside(unconfined(machine, {})), 126);
      assert.equal(await inside(filteredLater(machine, {})), 0);
      assert.equal(await inside(confined(machine, {})), 0);
    });
  });

  test('sets limits', async () => {
    const { output } = await run(confined(machine, { openFiles: 77, processes: 88 }), '/bin/cat', '/proc/self/limits');
    assert.match(output, /^Max open files\s+77\s+77 /m);
    assert.match(output, /^Max processes\s+88\s+88 /m);
  });
});
