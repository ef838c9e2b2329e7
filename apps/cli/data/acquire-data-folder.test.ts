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

describe('a data folder', () => {
  test('is held by one process; a second one gets the pid of the first', () =>
    inFolder(async (dir) => {
      const first = await acquireDataFolder({ pid: 4711, dir }, () => {});
      await assert.rejects(
        acquireDataFolder({ pid: 4712, dir }, () => {}),
        { code: 4, message: new RegExp(`process 4711\\) is already running on ${dir}`) },
      );
      await first[Symbol.asyncDispose]();
    }));

  test('can be acquired after its holder was killed', () =>
    inFolder(async (dir) => {
      await writeFile(join(dir, 'run', 'control.sock'), '');
      const taken = await acquireDataFolder({ pid: 1, dir }, () => {});
      await taken[Symbol.asyncDispose]();
    }));

  test('can be acquired when its holder is killed while it is being queried', () =>
    inFolder(async (dir) => {
      const terminating = createServer((socket) => {
        socket.once('data', () => {
          socket.destroy();
          terminating.close();
        });
      });
      await once(terminating.listen(join(dir, 'run', 'control.sock')), 'listening');
      const taken = await acquireDataFolder({ pid: 1, dir }, () => {});
      await taken[Symbol.asyncDispose]();
    }));

  test('passes a stop request to its holder', () =>
    inFolder(async (dir) => {
      const asked = Promise.withResolvers<void>();
      const control = await acquireDataFolder({ pid: 4711, dir }, asked.resolve);
      const stopped = stopForge(dir);
      await asked.promise;
      await control[Symbol.asyncDispose]();
      assert.deepEqual(await stopped, { pid: 4711, dir });
    }));

  test('without a holder has nothing to stop', () =>
    inFolder(async (dir) => assert.equal(await stopForge(dir), undefined)));
});
