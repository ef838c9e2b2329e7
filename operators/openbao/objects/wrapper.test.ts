// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { wrapper } from './wrapper.ts';

/** Says how it was started and what it receives; SIGTERM ends it. */
const server = `
import { readFileSync } from 'node:fs';
const [file] = process.argv.slice(-1);
process.on('SIGHUP', () => console.log('SIGHUP', readFileSync(file, 'utf8')));
process.on('SIGINT', () => console.log('SIGINT'));
process.on('SIGTERM', () => { console.log('SIGTERM'); setImmediate(() => process.exit(3)); });
setInterval(() => {}, 1e9);
console.log('started', process.pid, process.umask().toString(8), JSON.stringify(process.argv.slice(1)));
`;
const program = [process.execPath, '--input-type=module', '--eval', server, '--'];

const busybox = ['busybox', 'sh'] as const;
const withoutBusybox = () => (spawnSync(busybox[0], ['true']).status === 0 ? false : 'busybox is not installed');

for (const [shell, skip] of [
  [['sh'], false],
  [busybox, withoutBusybox()],
] as const) {
  describe(`the wrapper, run by ${shell.join(' ')}`, { skip }, () => {
    let folder: string;
    let script: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'forge-wrapper-'));
      script = join(folder, 'wrapper.sh');
      await writeFile(script, wrapper);
    });
    after(() => rm(folder, { recursive: true }));

    function start(args: readonly string[], env: Record<string, string> = {}) {
      const [command, ...rest] = [...shell, script, ...args];
      const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
      const [said, errors] = [child.stdout, child.stderr].map((input) =>
        createInterface({ input })[Symbol.asyncIterator](),
      );
      const next = async (lines: typeof said) => (await lines?.next())?.value;
      // The pipes close when the process that watches has ended, too.
      const closed = once(child, 'close');
      return { child, line: () => next(said), error: () => next(errors), closed };
    }

    test('becomes its command, with its arguments and the umask', async () => {
      const file = join(folder, 'some file');
      await writeFile(file, 'one');
      const args = [`-watch-file=${file}`, '-interval=0.05', '--', ...program, 'a  b', '-x', '', "'$HOME'", file];
      const { child, line, closed } = start(args, { UMASK: '0027' });
      assert.equal(await line(), `started ${child.pid} 27 ${JSON.stringify(['a  b', '-x', '', "'$HOME'", file])}`);
      child.kill('SIGKILL');
      assert.deepEqual(await closed, [null, 'SIGKILL']);
    });

    test('passes on each signal once, and the exit code', async () => {
      const { child, line, closed } = start(['--', ...program, script]);
      assert.match((await line()) ?? '', /^started /);
      child.kill('SIGINT');
      assert.equal(await line(), 'SIGINT');
      child.kill('SIGTERM');
      assert.equal(await line(), 'SIGTERM');
      assert.deepEqual(await closed, [3, null]);
      assert.equal(await line(), undefined);
    });

    test('ends at once when its command does, however long it pauses between two looks', async () => {
      const args = [script, `-watch-file=${script}`, '-interval', '600', '--', 'sh', '-c', 'exit 5'];
      const [command, ...rest] = [...shell, ...args];
      const child = spawn(command, rest, { stdio: 'ignore', detached: true });
      assert.deepEqual(await once(child, 'exit'), [5, null]);
      // In a container what watches ends with process 1.
      process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    });

    test('sends SIGHUP when the file has changed, as the kubelet changes it', async () => {
      // A link to a link to a folder, of which the middle one is replaced.
      const volume = join(folder, 'volume');
      const publish = async (version: string) => {
        await mkdir(join(volume, version), { recursive: true });
        await writeFile(join(volume, version, 'tls.crt'), version);
        await symlink(version, join(volume, 'next'));
        await rename(join(volume, 'next'), join(volume, '..data'));
      };
      await publish('one');
      const file = join(volume, 'tls.crt');
      await symlink('..data/tls.crt', file);
      const { child, line, error, closed } = start([`-watch-file=${file}`, '-interval=0.02', '--', ...program, file]);
      assert.match((await line()) ?? '', /^started /);
      await publish('two');
      assert.equal(await line(), 'SIGHUP two');
      assert.equal(await error(), `wrapper.sh: ${file} has changed: sending SIGHUP`);
      await publish('three');
      assert.equal(await line(), 'SIGHUP three');
      child.kill('SIGTERM');
      assert.equal(await line(), 'SIGTERM');
      assert.deepEqual(await closed, [3, null]);
    });

    test('reports a file that it cannot read, and goes on', async () => {
      const file = join(folder, 'comes-and-goes');
      const write = async (text: string) => {
        await writeFile(`${file}.new`, text);
        await rename(`${file}.new`, file);
      };
      await write('one');
      const { child, line, error, closed } = start([`-watch-file=${file}`, '-interval=0.02', '--', ...program, file]);
      assert.match((await line()) ?? '', /^started /);
      await unlink(file);
      const failure = new RegExp(`open .*${file}`);
      for (const _ of [1, 2]) assert.match((await error()) ?? '', failure);
      // What it finds again is what it knew.
      await write('one');
      await write('two');
      assert.equal(await line(), 'SIGHUP two');
      child.kill('SIGTERM');
      assert.deepEqual(await closed, [3, null]);
    });

    test('starts its command when the file is not there', async () => {
      const file = join(folder, 'never-there');
      const { child, line, error, closed } = start(['-watch-file', file, '-interval', '0.02', '--', ...program]);
      for (const _ of [1, 2]) assert.match((await error()) ?? '', new RegExp(`open .*${file}`));
      assert.match((await line()) ?? '', /^started /);
      child.kill('SIGTERM');
      assert.deepEqual(await closed, [3, null]);
    });

    for (const [name, args, message] of [
      ['an option that it does not know', ['-x', '--', 'true'], 'wrapper.sh: unknown option -x'],
      ['no command', ['-watch-file=/etc/passwd', '--'], 'wrapper.sh: no command after --'],
    ] as const) {
      test(`refuses ${name}`, async () => {
        const { error, closed } = start(args);
        assert.equal(await error(), message);
        assert.deepEqual(await closed, [2, null]);
      });
    }
  });
}
