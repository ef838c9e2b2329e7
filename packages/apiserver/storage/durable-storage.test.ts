// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { durableStorage } from './durable-storage.ts';
import { Store } from './store.ts';

function commit(store: Store, name: string, note = ''): void {
  const key = `things//${name}`;
  const object = { kind: 'Thing', apiVersion: 'v1', metadata: { name }, note };
  store.commit(key, store.current.objects.get(key), object);
}

function remove(store: Store, name: string): void {
  store.commit(`things//${name}`, store.current.objects.get(`things//${name}`), undefined);
}

/** What a store or a storage holds: names with revisions and notes. */
function observed(store: Store): string[] {
  return Array.from(store.current.objects.withPrefix(''), ({ key, revision, value }) => {
    return `${key}@${revision} ${(value as unknown as { note: string }).note}`;
  });
}

async function reopened(folder: string): Promise<{ revision: number; objects: string[] }> {
  const store = new Store(await durableStorage(folder));
  await store.close();
  return { revision: store.current.revision, objects: observed(store) };
}

/** A storage on the state that a crash would leave now. */
async function copyOf(folder: string, copy: string): ReturnType<typeof durableStorage> {
  await (await durableStorage(copy)).close();
  for (const name of await readdir(folder)) await writeFile(join(copy, name), await readFile(join(folder, name)));
  return durableStorage(copy);
}

describe('durable storage', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'forge-storage-'));
  });
  after(() => rm(dir, { recursive: true }));

  test('restores committed objects and the revision, without deleted objects', async () => {
    const folder = join(dir, 'basic');
    const store = new Store(await durableStorage(folder));
    commit(store, 'x', 'one');
    commit(store, 'y', 'two');
    commit(store, 'x', 'three');
    remove(store, 'y');
    await store.durable();
    await store.close();
    assert.deepEqual(await reopened(folder), { revision: 4, objects: ['things//x@3 three'] });
    assert.equal((await stat(join(folder, 'store.log'))).mode & 0o777, 0o600);
  });

  test('a torn tail is truncated, and later writes are kept', async () => {
    const folder = join(dir, 'torn');
    const store = new Store(await durableStorage(folder));
    for (const name of ['a', 'b', 'c']) {
      commit(store, name);
      await store.durable();
    }
    await store.close();
    const path = join(folder, 'store.log');
    const whole = await readFile(path);
    for (const torn of [1, 20, 60]) {
      await writeFile(path, whole.subarray(0, whole.length - torn));
      const cut = new Store(await durableStorage(folder));
      assert.deepEqual(observed(cut), ['things//a@1 ', 'things//b@2 '], `${torn} bytes torn off`);
      commit(cut, 'd');
      await cut.durable();
      await cut.close();
      assert.deepEqual((await reopened(folder)).objects, ['things//a@1 ', 'things//b@2 ', 'things//d@3 ']);
    }
  });

  test('a damaged last record that is dropped is logged', async () => {
    const folder = join(dir, 'damaged');
    const store = new Store(await durableStorage(folder));
    for (const name of ['a', 'b']) {
      commit(store, name);
      await store.durable();
    }
    await store.close();
    const path = join(folder, 'store.log');
    const whole = await readFile(path);
    const logged: string[] = [];
    const log = logger({
      clock: virtualClock(),
      write: ({ level, message }) => void logged.push(`${level}: ${message}`),
    });
    await (await durableStorage(folder, { log })).close();
    assert.deepEqual(logged, []);
    whole[whole.length - 3]! ^= 0xff;
    await writeFile(path, whole);
    await (await durableStorage(folder, { log })).close();
    assert.match(logged.join('\n'), /^warn: .* damaged record, which was dropped: \d+ bytes at byte \d+$/);
    assert.deepEqual((await reopened(folder)).objects, ['things//a@1 ']);
  });

  test('a log corrupted before its tail is rejected and unchanged', async () => {
    const folder = join(dir, 'damaged');
    const store = new Store(await durableStorage(folder));
    for (const name of ['a', 'b']) {
      commit(store, name);
      await store.durable();
    }
    await store.close();
    const path = join(folder, 'store.log');
    const damaged = await readFile(path);
    damaged[60] = (damaged[60] ?? 0) ^ 1;
    await writeFile(path, damaged);
    const text = `The cluster's log ${path} is corrupted at byte 24 of ${damaged.length}: a record that was written completely is truncated. Nothing was changed. Restore the file from a backup, or move it away to start with an empty cluster`;
    await assert.rejects(durableStorage(folder), { message: text });
    assert.deepEqual(await readFile(path), damaged);
  });

  test('a growing log is rewritten repeatedly during writes', async () => {
    const folder = join(dir, 'growing');
    const store = new Store(await durableStorage(folder, { minimumRewriteSize: 1024 }));
    for (const name of ['a', 'b', 'c']) commit(store, name, 'kept');
    commit(store, 'd', 'goes');
    remove(store, 'd');
    let size = 0;
    for (let shrunk = 0, turn = 0; shrunk < 3; turn += 1) {
      assert.ok(turn < 5000, `after ${turn} turns the log is ${size} bytes long and was rewritten ${shrunk} times`);
      for (let each = 0; each < 3; each += 1) commit(store, 'busy', `${turn}.${each} ${'x'.repeat(100)}`);
      await store.durable();
      const { size: now } = await stat(join(folder, 'store.log'));
      if (now < size) shrunk += 1;
      size = now;
    }
    const expected = { revision: store.current.revision, objects: observed(store) };
    await store.close();
    assert.deepEqual(await reopened(folder), expected);
    assert.deepEqual(await readdir(folder), ['store.log']);
  });

  test('concurrent writes during a rewrite lose nothing', async () => {
    const folder = join(dir, 'many');
    const store = new Store(await durableStorage(folder, { minimumRewriteSize: 4096 }));
    const writer = async (_: unknown, index: number): Promise<void> => {
      for (let turn = 0; turn < 100; turn += 1) {
        commit(store, `w${index}`, `${turn} ${'x'.repeat(50)}`);
        await store.durable();
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    const expected = { revision: store.current.revision, objects: observed(store) };
    await store.close();
    assert.deepEqual(await reopened(folder), expected);
  });

  test('a crash at any step of a rewrite loses nothing', async () => {
    const folder = join(dir, 'anew');
    const store = new Store(await durableStorage(folder, { minimumRewriteSize: 1000 }));
    for (let turn = 0; turn < 50; turn += 1) {
      commit(store, `n${turn % 7}`, 'x'.repeat(turn));
      await store.durable();
      // The state that a crash would leave now.
      const crashed = join(dir, `anew-${turn}`);
      const storage = await copyOf(folder, crashed);
      assert.deepEqual(observed(new Store(storage)), observed(store), `killed after turn ${turn}`);
      await storage.close();
    }
    await store.close();
  });
});
