// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { stopForge, acquireDataFolder } from './acquire-data-folder.ts';
import { openDataFolder } from './data-folder.ts';

async function inFolder(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-test-'));
  try {
    await openDataFolder(dir);
    await use(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('control of a data folder', () => {
  test('is refused to a second process, with the name of the first', () =>
    inFolder(async (dir) => {
      const first = await acquireDataFolder({ pid: 4711, dir }, () => {});
      await assert.rejects(
        acquireDataFolder({ pid: 4712, dir }, () => {}),
        { code: 4, message: new RegExp(`process 4711\\) is already running on ${dir}`) },
      );
      await first[Symbol.asyncDispose]();
    }));

  test('is taken over from a process that was killed', () =>
    inFolder(async (dir) => {
      await writeFile(join(dir, 'run', 'control.sock'), '');
      const taken = await acquireDataFolder({ pid: 1, dir }, () => {});
      await taken[Symbol.asyncDispose]();
    }));

  test('is taken over from a process that is killed while it is asked who it is', () =>
    inFolder(async (dir) => {
      const dying = createServer((socket) => {
        socket.once('data', () => {
          socket.destroy();
          dying.close();
        });
      });
      await once(dying.listen(join(dir, 'run', 'control.sock')), 'listening');
      const taken = await acquireDataFolder({ pid: 1, dir }, () => {});
      await taken[Symbol.asyncDispose]();
    }));

  test('passes on the request to stop', () =>
    inFolder(async (dir) => {
      const asked = Promise.withResolvers<void>();
      const control = await acquireDataFolder({ pid: 4711, dir }, asked.resolve);
      const stopped = stopForge(dir);
      await asked.promise;
      await control[Symbol.asyncDispose]();
      assert.deepEqual(await stopped, { pid: 4711, dir });
    }));

  test('finds nobody where nobody runs', () => inFolder(async (dir) => assert.equal(await stopForge(dir), undefined)));
});
