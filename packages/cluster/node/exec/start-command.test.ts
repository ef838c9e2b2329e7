// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { noNamespaces as tools } from '../test/no-namespaces.ts';
import { startCommand } from './start-command.ts';
import type { StreamedCommand } from './streamed-command.ts';

describe('a streamed command', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-command-'));
  });
  after(() => rm(folder, { recursive: true }));

  const sh = (script: string, stdin = false): Promise<StreamedCommand> =>
    startCommand({
      tools,
      pid: 1,
      env: { COLOR: 'red' },
      folder: join(folder, 'c-'),
      command: ['sh', '-c', script],
      stdin,
    });

  test('has its environment, both outputs, and its exit code', async () => {
    const { stdin, stdout, stderr, ended } = await sh('echo $COLOR > /dev/stdout; echo no > /dev/stderr; exit 4');
    assert.ok(stdin === undefined && stderr !== undefined);
    assert.deepEqual(await Promise.all([text(stdout), text(stderr)]), ['red\n', 'no\n']);
    assert.equal(await ended, 4);
    assert.deepEqual(await readdir(folder), []);
  });

  test('may read its input to the end, or ignore it', async () => {
    const reader = await sh('cat', true);
    reader.stdin?.end('all of it');
    assert.deepEqual([await text(reader.stdout), await reader.ended], ['all of it', 0]);
    const ignoring = await sh('exit 0', true);
    ignoring.stdout.resume();
    ignoring.stderr?.resume();
    assert.equal(await ignoring.ended, 0);
    ignoring.stdin?.write('not read');
  });

  test('is killed with all processes it has started', async () => {
    const command = await sh('sleep 7334 & echo started; sleep 7334');
    command.stderr?.resume();
    command.stdout.once('data', () => command.kill());
    assert.equal(await command.ended, 137);
    command.kill();
  });
});
