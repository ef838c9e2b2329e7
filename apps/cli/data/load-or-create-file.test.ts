// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withDataFolder } from '../test/forge-process.ts';
import { loadOrCreateFile } from './load-or-create-file.ts';

describe('a file that is created on first use', () => {
  test('is created once, readable only by its owner, even if a temporary file is left over', async () => {
    await withDataFolder(async (dir) => {
      const path = join(dir, 'pki', 'key');
      await mkdir(join(dir, 'pki'));
      await writeFile(`${path}.new`, 'half', { mode: 0o644 });
      assert.equal(await loadOrCreateFile(path, () => 'first'), 'first');
      assert.equal(await loadOrCreateFile(path, () => 'second'), 'first');
      assert.equal(await readFile(path, 'utf8'), 'first');
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    });
  });

  test('is not recreated when it exists but cannot be read', async () => {
    await withDataFolder(async (dir) => {
      const path = join(dir, 'key');
      await mkdir(path);
      await assert.rejects(
        loadOrCreateFile(path, () => assert.fail('recreated')),
        { code: 'EISDIR' },
      );
    });
  });
});
