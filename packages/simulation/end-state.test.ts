// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Store } from '@forge/apiserver/storage/store.ts';
import { differences, endState, type EndState } from './end-state.ts';

const uid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

function stateOf(digit: number, { name = 'a', text = 'same', time = '2026-01-01T00:00:00Z' } = {}): EndState {
  const store = new Store();
  const start = store.current;
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, generateName: 'a-', uid: uid(digit) } };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: uid(digit), controller: true }];
  const metadata = { name: 'owned', uid: uid(digit + 1), creationTimestamp: time, ownerReferences };
  store.commit(`configmaps/default/${name}`, undefined, owner);
  const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text } };
  store.commit('configmaps/default/owned', undefined, owned);
  store.commit('events/default/a.1', undefined, { ...owner, kind: 'Event' });
  return endState(start, store.current, undefined);
}

describe('an end state', () => {
  test('is the same whatever uids, times and generated names a run had', () => {
    const other = stateOf(3, { name: 'a-x7c2p', time: '2026-01-01T09:09:09Z' });
    assert.deepEqual(differences(stateOf(1, { name: 'a-k2l9d' }), other), []);
  });

  test('differs where something else was written, and says where', () => {
    assert.deepEqual(differences(stateOf(1), stateOf(1, { text: 'other' })), [
      'configmaps/default/owned.data.text is "other", and "same" undisturbed',
    ]);
  });
});
