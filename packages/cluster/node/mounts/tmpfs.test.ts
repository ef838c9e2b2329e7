// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { tmpfsOptions, usedBytes } from './tmpfs.ts';

test('a tmpfs has a limit of bytes and of files, which occupy memory even when empty', () => {
  assert.equal(tmpfsOptions(1024 * 1024, '0777'), 'size=1048576,nr_inodes=4096,mode=0777');
  assert.equal(tmpfsOptions(1024 ** 3, '0700'), 'size=1073741824,nr_inodes=65536,mode=0700');
});

test('a tmpfs is measured if it is there, and what else is at its path is not', async () => {
  const { blocks, bsize } = await statfs(tmpdir());
  const size = blocks * bsize;
  assert.ok((await usedBytes([[tmpdir(), size]])) > 0);
  assert.equal(
    await usedBytes([
      [tmpdir(), size - bsize],
      ['/proc/nonexistent', size],
    ]),
    0,
  );
});
