// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { durableStorage } from './durable-storage.ts';
import { decodeRecords } from './storage/log-record.ts';

function record(revision: number, key: string, value?: string): { revision: number; key: string; value?: Buffer } {
  return { revision, key, ...(value !== undefined && { value: Buffer.from(value) }) };
}

describe('durable storage', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'forge-storage-'));
  });
  after(() => rm(dir, { recursive: true }));

  test('gives back what was appended, without what was deleted, and goes on counting', async () => {
    const folder = join(dir, 'basic');
    const storage = await durableStorage(folder);
    await Promise.all([
      storage.append(record(1, 'b//x', 'one')),
      storage.append(record(2, 'a//y', 'two')),
      storage.append(record(3, 'b//x', 'three')),
      storage.append(record(4, 'a//y')),
    ]);
    await storage.close();
    const reopened = await durableStorage(folder);
    const { recovered } = reopened;
    await reopened.close();
    assert.equal(recovered.revision, 4);
    assert.deepEqual(
      recovered.objects.map(({ key, revision, value }) => [key, revision, Buffer.from(value).toString()]),
      [['b//x', 3, 'three']],
    );
    assert.equal((await stat(join(folder, 'store.log'))).mode & 0o777, 0o600);
  });

  test('a log cut at any byte loses only what was not wholly written', async () => {
    const folder = join(dir, 'cut');
    const storage = await durableStorage(folder);
    for (let index = 1; index <= 3; index += 1)
      await storage.append(record(index, `things//${index}`, `value ${index}`));
    await storage.close();
    const path = join(folder, 'store.log');
    const whole = await readFile(path);
    for (let length = 0; length <= whole.length; length += 1) {
      const expected = decodeRecords(whole.subarray(0, length)).records.filter(({ key }) => key !== '').length;
      await writeFile(path, whole.subarray(0, length));
      const cut = await durableStorage(folder);
      assert.equal(cut.recovered.objects.length, expected, `cut at byte ${length}`);
      await cut.append(record(100, 'things//new', 'after the cut'));
      await cut.close();
      const again = await durableStorage(folder);
      assert.equal(again.recovered.objects.length, expected + 1, `appended after a cut at byte ${length}`);
      await again.close();
    }
  });

  test('a damaged record and all after it are left out', () => {
    const damaged = Buffer.from('not a log at all, but long enough to hold a header');
    assert.deepEqual(decodeRecords(damaged), { records: [], length: 0 });
  });

  test('a crash while the log is rewritten leaves the old one in force', async () => {
    const folder = join(dir, 'rewrite');
    const storage = await durableStorage(folder);
    await storage.append(record(1, 'things//a', 'kept'));
    await storage.close();
    await writeFile(join(folder, 'store.log.new'), 'half of a new log');
    const reopened = await durableStorage(folder);
    await reopened.close();
    assert.equal(reopened.recovered.objects.length, 1);
  });

  test('rewriting drops what is no longer alive', async () => {
    const folder = join(dir, 'compact');
    const storage = await durableStorage(folder);
    for (let index = 1; index <= 100; index += 1) await storage.append(record(index, 'things//a', 'x'.repeat(1000)));
    await storage.close();
    const { size: sizeBefore } = await stat(join(folder, 'store.log'));
    await (await durableStorage(folder)).close();
    const { size: sizeAfter } = await stat(join(folder, 'store.log'));
    assert.ok(sizeAfter < sizeBefore / 50, `${sizeBefore} bytes became ${sizeAfter}`);
  });
});
