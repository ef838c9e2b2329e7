// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeVolume } from './write-volume.ts';

const files = (content: Record<string, string>) =>
  new Map(Object.entries(content).map(([path, text]) => [path, { data: Buffer.from(text), mode: 0o440 }]));

describe('a volume of files', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-volume-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('exposes its files through one link, with their modes', async () => {
    await writeVolume(folder, files({ a: '1', 'sub/b': '2' }));
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), '1');
    assert.equal(await readFile(join(folder, 'sub/b'), 'utf8'), '2');
    assert.equal((await stat(join(folder, 'a'))).mode & 0o777, 0o440);
    assert.equal((await stat(join(folder, '..data'))).mode & 0o777, 0o755, 'open to any user of a container');
    assert.equal(await readlink(join(folder, 'a')), '..data/a');
  });

  test('is unchanged when nothing changed', async () => {
    const current = await readlink(join(folder, '..data'));
    await writeVolume(folder, files({ a: '1', 'sub/b': '2' }));
    assert.equal(await readlink(join(folder, '..data')), current);
  });

  test('updates all files by replacing the link, and removes the old ones', async () => {
    await writeVolume(folder, files({ a: '3', c: '4' }));
    const data = await readlink(join(folder, '..data'));
    assert.deepEqual((await readdir(folder)).toSorted(), [data, '..data', 'a', 'c'].toSorted());
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), '3');
  });

  test('rejects paths outside of itself', async () => {
    const held = await readdir(folder);
    for (const path of ['../out', 'a/../../out', '/tmp/out', '..data/out', '', '..']) {
      await assert.rejects(writeVolume(folder, files({ [path]: '5' })), /must be a relative path/, path);
    }
    assert.deepEqual(await readdir(folder), held);
  });
});
