// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import type { Storage, StorageRecord } from './storage.ts';
import { Store, WriteConflict } from './store.ts';

function object(name: string): KubeObject {
  return { kind: 'Thing', apiVersion: 'v1', metadata: { name } };
}

test('every commit takes the next revision and becomes the resourceVersion', () => {
  const store = new Store();
  const first = store.commit('things//a', undefined, object('a'));
  const second = store.commit('things//b', undefined, object('b'));
  assert.deepEqual([first.value.metadata.resourceVersion, second.value.metadata.resourceVersion], ['1', '2']);
  const gone = store.commit('things//a', first, undefined);
  assert.equal(gone.value.metadata.resourceVersion, '3');
  assert.equal(store.current.objects.get('things//a'), undefined);
  assert.equal(store.at(2)?.objects.get('things//a'), first);
});

test('a write based on an old state is a conflict', () => {
  const store = new Store();
  const first = store.commit('things//a', undefined, object('a'));
  store.commit('things//a', first, object('a'));
  assert.throws(() => store.commit('things//a', first, object('a')), WriteConflict);
  assert.throws(() => store.commit('things//a', undefined, object('a')), WriteConflict);
});

test('stored objects are frozen', () => {
  const { value } = new Store().commit('things//a', undefined, object('a'));
  assert.throws(() => (value.metadata.name = 'b'), TypeError);
});

/** Storage that forgets everything. */
function memory(): Storage {
  return {
    recovered: { revision: 0, objects: [] },
    failure: undefined,
    recover: () => Promise.resolve(),
    append: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

test('the history holds as many bytes as it may, and is compacted beyond them', async () => {
  const store = new Store(memory(), { revisions: 1000, bytes: 20_000 });
  const write = async (text: string): Promise<void> => {
    store.commit('things//a', store.current.objects.get('things//a'), { ...object('a'), text } as KubeObject);
    await store.durable();
  };
  for (let index = 0; index < 100; index += 1) await write('a'.repeat(900));
  const { oldest } = store;
  assert.ok(oldest >= 79 && oldest <= 82, `${oldest}`);
  assert.deepEqual([store.change(oldest), store.change(oldest + 1)?.revision], [undefined, oldest + 1]);
  assert.equal(store.at(oldest - 1), undefined, 'a list at this revision gets 410');
  for (let index = 0; index < 300; index += 1) await write('');
  assert.ok(store.oldest < 300, 'small changes are kept for longer');
  await write('a'.repeat(30_000));
  await write('a'.repeat(30_000));
  assert.equal(store.oldest, store.published - 1, 'changes that are not durable yet are never compacted');
});

test('a change that cannot be encoded leaves no trace', () => {
  const store = new Store(memory());
  const unencodable = { ...object('a'), toJSON: () => assert.fail('cannot be encoded') };
  assert.throws(() => store.commit('things//a', undefined, unencodable), /cannot be encoded/);
  assert.deepEqual([store.current.revision, store.current.objects.size, store.at(1)], [0, 0, undefined]);
});

test('watches see a change only when it is durable', async () => {
  const held: (() => void)[] = [];
  const records: StorageRecord[] = [];
  const storage: Storage = {
    recovered: { revision: 7, objects: [] },
    failure: undefined,
    recover: () => Promise.resolve(),
    append(record) {
      records.push(record);
      return new Promise((resolve) => held.push(resolve));
    },
    close: () => Promise.resolve(),
  };
  const store = new Store(storage);
  let notified = 0;
  store.subscribe('things', () => (notified += 1));
  store.commit('things//a', undefined, object('a'));
  assert.deepEqual([store.current.revision, store.published, notified], [8, 7, 0]);
  assert.equal(store.change(8), undefined);
  assert.equal(store.at(7)?.objects.size, 0, 'a watch that starts now does not receive it');
  held[0]?.();
  await store.durable();
  assert.deepEqual([store.published, notified, store.change(8)?.type], [8, 1, 'ADDED']);
  assert.equal(records[0]?.key, 'things//a');
});

test('every state in history is immutable', () => {
  const store = new Store();
  const random = seededRandom(7);
  const states = Array.from({ length: 300 }, () => {
    const key = `things//${Math.floor(random.number() * 20)}`;
    const before = store.current.objects.get(key);
    store.commit(key, before, before !== undefined && random.number() < 0.4 ? undefined : object('a'));
    return [...store.current.objects.withPrefix('')];
  });
  const seen = states.map((_, index) => [...(store.at(index + 1)?.objects.withPrefix('') ?? [])]);
  assert.deepEqual(seen, states);
});

test('history is limited in size, and compacted on demand', () => {
  const store = new Store(undefined, { revisions: 10, bytes: Infinity });
  for (let index = 0; index < 100; index += 1) store.commit(`things//${index}`, undefined, object('a'));
  assert.equal(store.oldest, 90);
  assert.equal(store.at(5), undefined);
  store.compact(95);
  assert.equal(store.oldest, 95);
  assert.equal(store.change(96)?.revision, 96);
});

test('a fork shares the history, but no later changes', () => {
  const store = new Store();
  for (let index = 0; index < 1000; index += 1) store.commit(`things//${index}`, undefined, object('a'));
  store.compact(300);
  const fork = store.fork();
  store.commit('things//mine', undefined, object('mine'));
  for (let index = 0; index < 300; index += 1) fork.commit(`things//theirs-${index}`, undefined, object('theirs'));
  assert.deepEqual([store.current.revision, fork.current.revision], [1001, 1300]);
  assert.deepEqual(
    [store.change(1001)?.object.key, fork.change(1001)?.object.key],
    ['things//mine', 'things//theirs-0'],
  );
  for (const each of [store, fork]) {
    assert.deepEqual([each.oldest, each.change(300), each.change(301)?.revision], [300, undefined, 301]);
    assert.equal(each.at(700)?.objects.size, 700);
    assert.equal(each.change(each.current.revision + 1), undefined);
  }
});

test('preloaded objects are created on first read, without watch events', () => {
  const store = new Store();
  store.commit('things//b', undefined, object('b'));
  let made = 0;
  let observed = 0;
  store.subscribe('things', () => (observed += 1));
  const make = (name: string) => (revision: number) => {
    made += 1;
    return { ...object(name), metadata: { name, resourceVersion: String(revision) } };
  };
  store.preload([
    ['things//c', make('c')],
    ['things//a', make('a')],
  ]);
  assert.deepEqual([made, observed, store.current.revision, store.oldest], [0, 0, 1, 1]);
  const names = [...store.current.objects.withPrefix('things/')].map(({ value }) => value.metadata.name);
  assert.deepEqual(names, ['a', 'b', 'c']);
  const [first] = store.current.objects.withPrefix('things/');
  assert.equal(first?.value, first?.value);
  assert.match(Buffer.from(first?.bytes ?? []).toString(), /"resourceVersion":"1"/);
  assert.equal(made, 2);
});
