// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigMap } from '@forge/kube/builtin.ts';
import { objectStore } from './object-store.ts';

const ref = { namespace: 'default', name: 'a' };

function state(resourceVersion: string, metadata: Partial<ConfigMap['metadata']> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...ref, uid: 'first', resourceVersion, ...metadata } };
}

test('an object whose last finalizer we took is gone, whatever the watch still tells of its last days', () => {
  const store = objectStore<ConfigMap>(new Set());
  const dying = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  store.observe({ type: 'ADDED', object: state('1', { ...dying, finalizers: ['hold'] }) });
  store.wrote(state('2', { ...dying, finalizers: ['hold'], labels: { last: 'words' } }));
  // The server answers with the last version there was.
  store.wrote(state('2', dying));
  assert.equal(store.get(ref), undefined);
  store.observe({
    type: 'MODIFIED',
    object: state('2', { ...dying, finalizers: ['hold'], labels: { last: 'words' } }),
  });
  assert.equal(store.get(ref), undefined);
  store.observe({ type: 'DELETED', object: state('3', dying) });
  assert.equal(store.get(ref), undefined);
  store.observe({ type: 'ADDED', object: state('4', { uid: 'second' }) });
  assert.equal(store.get(ref)?.metadata.uid, 'second');
});
