// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLaunchers } from './launchers.ts';
import { thisMachine } from './machine.ts';

test('the launchers inside a container limit its processes, and all limit open files', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-launchers-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeLaunchers(folder, thisMachine(), 500);
  const limitsOf = (name: string) =>
    spawnSync(join(folder, name), ['/bin/cat', '/proc/self/limits'], { encoding: 'utf8' }).stdout;
  for (const name of ['confined', 'unconfined']) {
    assert.match(limitsOf(name), /^Max processes\s+4096\s+4096 /m, name);
    assert.match(limitsOf(name), /^Max open files\s+500\s+500 /m, name);
  }
  for (const name of ['around-confined', 'around-unconfined']) {
    assert.doesNotMatch(limitsOf(name), /^Max processes\s+4096 /m, name);
    assert.match(limitsOf(name), /^Max open files\s+500\s+500 /m, name);
  }
});

test('a container has at most 65,536 open files, however many its node may open', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-launchers-'));
  context.after(() => rm(folder, { recursive: true }));
  const written = async (openFiles: number) => {
    await writeLaunchers(folder, 'x64', openFiles);
    return readFile(join(folder, 'confined'));
  };
  const most = await written(65_536);
  assert.deepEqual(await written(2 ** 20), most);
  assert.notDeepEqual(await written(65_535), most);
});
