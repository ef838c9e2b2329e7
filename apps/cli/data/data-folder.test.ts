// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openDataFolder, runFolderOf } from './data-folder.ts';

async function inFolder(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-test-'));
  try {
    await use(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('the data folder', () => {
  test('is private and can be reopened', () =>
    inFolder(async (dir) => {
      const data = await openDataFolder(join(dir, 'data'));
      assert.equal((await stat(data.dir)).mode & 0o777, 0o700);
      assert.equal((await stat(data.run)).mode & 0o777, 0o700);
      assert.deepEqual((await openDataFolder(data.dir)).dir, data.dir);
    }));

  test('is refused where no folder can be created, or below a file', { timeout: 10_000 }, () =>
    inFolder(async (dir) => {
      await writeFile(join(dir, 'file'), '');
      for (const path of ['/proc/forge', '/proc/forge/data', join(dir, 'file', 'data')]) {
        await assert.rejects(openDataFolder(path), /cannot be used \(E.*\)\. Choose another folder with --data\.$/);
      }
    }),
  );

  test('of another format is rejected and not changed', () =>
    inFolder(async (dir) => {
      await writeFile(join(dir, 'format'), '99\n');
      await assert.rejects(openDataFolder(dir), /holds data of format 99; this forge reads format 1/);
    }));

  test('with other files is rejected and not changed: it would become private', () =>
    inFolder(async (dir) => {
      await chmod(dir, 0o755);
      await writeFile(join(dir, 'thesis.txt'), 'mine');
      await assert.rejects(openDataFolder(dir), /contains files that forge did not create.*with --data/);
      assert.equal((await stat(dir)).mode & 0o777, 0o755);
    }));

  test('may be an empty disk, or one that was full on first use', () =>
    inFolder(async (dir) => {
      await mkdir(join(dir, 'lost+found'));
      await writeFile(join(dir, 'format.new'), '');
      await openDataFolder(dir);
      await openDataFolder(dir);
    }));

  test('may have image recipes before its first use', () =>
    inFolder(async (dir) => {
      await mkdir(join(dir, 'recipes'));
      await openDataFolder(dir);
    }));

  test('whose path is too long for sockets has them in another folder, which is always the same', () => {
    const long = `/${'x'.repeat(120)}`;
    assert.equal(runFolderOf(long), runFolderOf(long));
    assert.ok(Buffer.byteLength(runFolderOf(long)) < 60);
    assert.equal(runFolderOf('/data'), '/data/run');
  });
});
