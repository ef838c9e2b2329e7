// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createFolder } from './create-folder.ts';

describe('a folder that is created', () => {
  test('is private, like its parents, and can be created by two processes at the same time', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'forge-test-'));
    try {
      const deep = join(dir, 'a', 'b', 'c');
      await Promise.all([createFolder(deep), createFolder(deep)]);
      await createFolder(deep);
      for (const path of [deep, join(dir, 'a')]) assert.equal((await stat(path)).mode & 0o777, 0o700);
      await writeFile(join(deep, 'file'), '');
      await assert.rejects(createFolder(join(deep, 'file')), { code: 'EEXIST' });
      await assert.rejects(createFolder(join(deep, 'file', 'x', 'y')), { code: 'ENOTDIR' });
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test('is refused where the system does not allow it', { timeout: 10_000 }, async () => {
    for (const path of ['/proc/forge', '/proc/forge/data']) {
      await assert.rejects(createFolder(path), { code: 'ENOENT', path: '/proc/forge' });
    }
  });
});
