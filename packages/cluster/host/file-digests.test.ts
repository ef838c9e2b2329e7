// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fileDigests } from './file-digests.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('digests of files', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-digests-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  test('depend only on their bytes, not on names or encoding', async () => {
    const contents = [Buffer.from([0xff, 0]), Buffer.from([0xfe, 0]), Buffer.from('text')];
    const files = ['a\nb', '-c', 'back\\slash'].map((name) => join(folder, name));
    for (const [index, file] of files.entries()) await writeFile(file, contents[index] ?? '');
    const digests = fileDigests();
    assert.deepEqual(await digests.of(files), contents.map(sha256));
    assert.deepEqual(await digests.of(files.map((file) => pathToFileURL(file))), contents.map(sha256));
    assert.deepEqual(await digests.of([]), []);
  });

  test('follow a file that is changed or replaced, also by one of the same size', async () => {
    const file = join(folder, 'program');
    const digests = fileDigests();
    const written: string[] = [];
    for (const byte of [1, 2, 3]) {
      const next = join(folder, 'next');
      await writeFile(next, Buffer.from([byte]));
      if (byte < 3) await writeFile(file, Buffer.from([byte]));
      else await rename(next, file);
      written.push(...(await digests.of([file])));
    }
    assert.deepEqual(
      written,
      [1, 2, 3].map((byte) => sha256(Buffer.from([byte]))),
    );
  });

  test('follow a file whose size and time of modification are those from before', async () => {
    const file = join(folder, 'program');
    const digests = fileDigests();
    const digestOf = async (byte: number) => {
      await writeFile(file, Buffer.from([byte]));
      await utimes(file, 1, 1);
      return (await digests.of([file]))[0];
    };
    assert.notEqual(await digestOf(1), await digestOf(2));
  });

  test('of a large file take no time in this process, and are computed once', async (context) => {
    const file = join(folder, 'large');
    await writeFile(file, '');
    await truncate(file, 256 * 1024 * 1024);
    const digests = fileDigests();
    const before = process.threadCpuUsage();
    const [first] = await digests.of([file]);
    const { user, system } = process.threadCpuUsage(before);
    assert.match(first ?? '', /^[0-9a-f]{64}$/);
    // In this process, it would take half a second.
    assert.ok(user + system < 100_000, `${user + system} µs`);
    // Without PATH, no program is found.
    const path = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    context.after(() => (process.env['PATH'] = path));
    assert.deepEqual(await digests.of([file]), [first]);
  });

  test('of a missing file are an error that names it', async () => {
    await assert.rejects(fileDigests().of([join(folder, 'missing')]), /ENOENT.*missing/);
  });
});
