// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '@forge/apiserver/storage/store.ts';
import { changeLog, repeated } from './change-log.ts';

/** A store with a log of its changes. */
function loggedStore() {
  const store = new Store();
  const log = changeLog(store);
  let seen = store.current.revision;
  store.subscribe('', () => {
    for (let change = store.change(seen + 1); change !== undefined; change = store.change(seen + 1)) {
      seen = change.revision;
      log.note(change, 'user');
    }
  });
  return { store, log };
}

const owned = (kind: string, name: string, owner?: { kind: string; uid: string }) => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    namespace: 'default',
    uid: `uid of ${name}`,
    ...(owner && {
      ownerReferences: [{ apiVersion: 'v1', name: owner.uid.replace('uid of ', ''), controller: true, ...owner }],
    }),
  },
});

test('a change log counts creates, except those of cluster controllers for a deleted owner', () => {
  const { store, log } = loggedStore();
  const web = { kind: 'Deployment', uid: 'uid of web' };
  const set = { kind: 'ReplicaSet', uid: 'uid of late' };
  store.commit('replicasets.apps/default/late', undefined, owned('ReplicaSet', 'late', web));
  store.commit('pods/default/late-1', undefined, owned('Pod', 'late-1', set));
  store.commit('deployments.apps/default/web', undefined, owned('Deployment', 'web'));
  store.commit('replicasets.apps/default/web-1', undefined, owned('ReplicaSet', 'web-1', web));
  store.commit('secrets/default/a', undefined, owned('Secret', 'a', { kind: 'Keystone', uid: 'uid of gone' }));
  assert.deepEqual(
    [...log.counts.keys()],
    ['ADDED deployments.apps/default/web', 'ADDED replicasets.apps/default/web-1', 'ADDED secrets/default/a'],
  );
});

test('changes that happened more often than in the baseline run are reported, except those that may repeat', () => {
  const once = new Map([
    ['ADDED secrets/default/a', 1],
    ['ADDED users.k-orc/default/a', 1],
  ]);
  const twice = new Map([...once.keys()].map((entry) => [entry, 2]));
  const found = repeated(once, twice, (key) => key.startsWith('users.'));
  assert.deepEqual(found, ['ADDED secrets/default/a happened 2 times, and 1 times in the baseline run']);
});
