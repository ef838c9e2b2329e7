// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectList } from '@forge/kube/client/client.ts';
import type { ConfigMap, Namespace } from '@forge/kube/kinds/builtin.ts';
import { byKey } from './object-index.ts';
import { objectStore } from './object-store.ts';

const ref = { namespace: 'default', name: 'a' };

function state(resourceVersion: string, metadata: Partial<ConfigMap['metadata']> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...ref, uid: 'first', resourceVersion, ...metadata } };
}

async function* listed(resourceVersion: string, ...items: ConfigMap[]): AsyncGenerator<ObjectList<ConfigMap>> {
  yield { items, resourceVersion };
}

test('an object whose last finalizer we removed is deleted, whatever older states the watch still delivers', () => {
  const store = objectStore<ConfigMap>(new Set());
  const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  store.observe({ type: 'ADDED', object: state('1', { ...terminating, finalizers: ['hold'] }) });
  store.recordWrite(state('2', { ...terminating, finalizers: ['hold'], labels: { last: 'words' } }));
  // The server answers with the last version that existed.
  store.recordWrite(state('2', terminating));
  assert.equal(store.get(ref), undefined);
  store.observe({
    type: 'MODIFIED',
    object: state('2', { ...terminating, finalizers: ['hold'], labels: { last: 'words' } }),
  });
  assert.equal(store.get(ref), undefined);
  store.observe({ type: 'DELETED', object: state('3', terminating) });
  assert.equal(store.get(ref), undefined);
  store.observe({ type: 'ADDED', object: state('4', { uid: 'second' }) });
  assert.equal(store.get(ref)?.metadata.uid, 'second');
});

test('a terminating Namespace exists until the watch delivers its deletion', () => {
  const store = objectStore<Namespace>(new Set());
  const spec = { finalizers: ['kubernetes'] };
  const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', uid: 'first' }, spec };
  const at = (resourceVersion: string, more: object = {}): Namespace => ({
    ...namespace,
    metadata: { ...namespace.metadata, resourceVersion, ...more },
  });
  store.observe({ type: 'ADDED', object: at('1') });
  store.recordWrite(at('3', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
  assert.equal(store.get({ name: 'a' })?.metadata.resourceVersion, '3');
});

test('an object that the watch has not delivered yet is deleted when its last finalizer is removed', () => {
  const store = objectStore<ConfigMap>(new Set());
  const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  store.recordWrite(state('2', { ...terminating, finalizers: ['hold'] }));
  store.recordWrite(state('2', terminating));
  assert.equal(store.get(ref), undefined);
  store.observe({ type: 'ADDED', object: state('1', { finalizers: ['hold'] }) });
  store.observe({ type: 'MODIFIED', object: state('2', { ...terminating, finalizers: ['hold'] }) });
  assert.equal(store.get(ref), undefined);
  store.observe({ type: 'DELETED', object: state('3', terminating) });
  store.observe({ type: 'ADDED', object: state('4', { uid: 'second' }) });
  assert.equal(store.get(ref)?.metadata.uid, 'second');
});

test('what we wrote while the watch was broken, and somebody deleted meanwhile, is observed as deleted', async () => {
  const store = objectStore<ConfigMap>(new Set());
  const observed: unknown[] = [];
  await store.replace(listed('2', state('1', { labels: { for: 'before' } })));
  store.onChange(({ before, after }) => observed.push([before, after].map((each) => each?.metadata.labels?.['for'])));
  store.recordWrite(state('3', { labels: { for: 'us' } }));
  store.recordWrite(state('4', { name: 'b', uid: 'b', labels: { for: 'created' } }));
  await store.replace(listed('6'));
  assert.deepEqual(observed, [
    ['before', 'us'],
    [undefined, 'created'],
    ['us', undefined],
    ['created', undefined],
  ]);
  assert.deepEqual(store.list(), []);
});

test('a list that holds what we wrote is one change', async () => {
  const store = objectStore<ConfigMap>(new Set());
  const observed: unknown[] = [];
  await store.replace(listed('2', state('1')));
  store.onChange(({ before, after }) => observed.push([before, after].map((each) => each?.metadata.resourceVersion)));
  store.recordWrite(state('3'));
  await store.replace(listed('6', state('3')));
  assert.deepEqual(observed, [['1', '3']]);
});

test('an index that is first used in the middle of a list finds no deleted objects', async () => {
  const store = objectStore<ConfigMap>(new Set());
  const same = state('1', { name: 'same', uid: 'same' });
  await store.replace(listed('2', state('1'), same));
  const where = { index: { valuesOf: () => ['any'] }, value: 'any' };
  const names = () => store.list({ where }).map(({ metadata }) => metadata.name);
  store.onChange(() => names());
  await store.replace(listed('4', state('3'), { ...same }));
  assert.deepEqual(names(), ['a', 'same']);
  store.observe({ type: 'DELETED', object: { ...same, metadata: { ...same.metadata, resourceVersion: '5' } } });
  assert.deepEqual(names(), ['a']);
});

test('a store keeps unread objects without content and without the annotation of kubectl apply', () => {
  const store = objectStore<ConfigMap>(new Set(), { isRead: () => false });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"k":"v"}}', note: 'kept' };
  const metadata = { namespace: 'default', name: 'a', uid: 'u', resourceVersion: '1', annotations };
  store.observe({ type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: 'v' } } });
  assert.deepEqual(store.peek(metadata), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, annotations: { note: 'kept' } },
  });
  assert.throws(() => store.get(metadata), /ConfigMap default\/a is cached as metadata only/);
});

function applied(name: string, resourceVersion: string): ConfigMap {
  const fieldsV1 = { 'f:data': { 'f:script': {} } };
  const entry = { manager: 'ours', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 } as const;
  const metadata = { name, uid: name, managedFields: [entry] };
  return { ...state(resourceVersion, metadata), data: { script: 'rotate-the-keys.sh' } };
}

test('objects that are listed and watched share the memory of what is equal, and applied fields do', async () => {
  const store = objectStore<ConfigMap>(new Set(['ours']));
  await store.replace(listed('2', applied('a', '1'), applied('b', '2')));
  store.observe({ type: 'ADDED', object: applied('c', '3') });
  const contents = store.list().map(({ data }) => data);
  assert.deepEqual(contents[0], { script: 'rotate-the-keys.sh' });
  assert.deepEqual([contents.length, new Set(contents).size], [3, 1]);
  const fields = ['a', 'b', 'c'].map((name) => store.applied({ ...ref, name }, 'ours'));
  assert.deepEqual(fields[0], { 'f:data': { 'f:script': {} } });
  assert.equal(new Set(fields).size, 1);
});

test('a response to a write is not changed: who wrote may hold it', () => {
  const store = objectStore<ConfigMap>(new Set());
  const labels = { app: 'keystone-operator' };
  store.observe({ type: 'ADDED', object: state('1', { labels: { ...labels } }) });
  const answered = { ...labels };
  store.recordWrite(state('2', { name: 'b', uid: 'b', labels: answered }));
  assert.equal(store.get({ ...ref, name: 'b' })?.metadata.labels, answered);
});

test('objects are found by key without an index of their own', () => {
  const store = objectStore<ConfigMap>(new Set());
  store.observe({ type: 'ADDED', object: state('1') });
  store.recordWrite(state('2', { name: 'b', uid: 'b' }));
  const found = (value: string) => store.list({ where: { index: byKey, value } }).map(({ metadata }) => metadata.name);
  assert.deepEqual(['default/a', 'default/b', 'default/c', 'other/a', '/a'].map(found), [['a'], ['b'], [], [], []]);
});
