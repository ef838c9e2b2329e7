// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Store } from '@forge/apiserver/storage/store.ts';
import type { ManagedFieldsEntry } from '@forge/kube/objects/object.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { differences, endState, type EndState } from './end-state.ts';

const uid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

function ownedBy(manager: string, finalizer: string): ManagedFieldsEntry {
  const fieldsV1 = { 'f:metadata': { 'f:finalizers': { [`v:"${finalizer}"`]: {} } } };
  return { manager, operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
}

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

/** The end of a run that left volumes with these uids and this text. */
const volumesOf = (digits: readonly number[], text: string) => {
  const store = new Store();
  const start = store.current;
  for (const [index, digit] of digits.entries()) {
    const name = `pvc-${uid(digit)}`;
    const spec = { claimRef: { namespace: 'default', name: `data-${index}` }, text };
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec };
    store.commit(`persistentvolumes//${name}`, undefined, volume);
  }
  return endState(start, store.current, undefined, { unpredictable: /leads$/ });
};

describe('an end state', () => {
  test('does not depend on uids, times and generated names', () => {
    const other = stateOf(3, { name: 'a-x7c2p', time: '2026-01-01T09:09:09Z' });
    assert.deepEqual(differences(stateOf(1, { name: 'a-k2l9d' }), other), []);
  });

  test('does not depend on whether earlier Events have expired', () => {
    const store = new Store();
    const event = store.commit('events/default/a.1', undefined, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a.1' },
    });
    const start = store.current;
    store.commit('events/default/a.1', event, undefined);
    assert.deepEqual([...endState(start, store.current, undefined)], []);
  });

  test('does not depend on the order of finalizers, on incomparable ones, and on volumes named after the uid of their claim', () => {
    const [one, other] = [1, 2].map((digit) => {
      const store = new Store();
      const start = store.current;
      const name = `pvc-${uid(digit)}`;
      const finalizers = digit === 1 ? ['a', 'b'] : ['guard/a', 'b', 'a'];
      const managedFields = [ownedBy('us', 'a'), ...(digit === 1 ? [] : [ownedBy('guard', 'guard/a')])];
      const volume = {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name, finalizers, managedFields, uid: uid(digit + 2) },
      };
      store.commit(`persistentvolumes//${name}`, undefined, volume);
      return endState(start, store.current, undefined, { incomparable: /^guard\// });
    });
    assert.deepEqual(differences(one!, other!), []);
  });

  test('does not depend on the order of conditions', () => {
    const [one, other] = [
      ['Available', 'Progressing'],
      ['Progressing', 'Available'],
    ].map((types) => {
      const store = new Store();
      const start = store.current;
      const conditions = types.map((type) => ({ status: type === 'Available' ? 'True' : 'False', type }));
      const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, status: { conditions } };
      store.commit('deployments.apps/default/a', undefined, deployment);
      return endState(start, store.current, undefined);
    });
    assert.deepEqual(differences(one!, other!), []);
  });

  test('names volumes by their claims, and does not compare unpredictable texts', () => {
    const one = volumesOf([1, 2], 'a leads');
    assert.deepEqual(
      [...one.keys()],
      ['persistentvolumes//pvc-default/data-0', 'persistentvolumes//pvc-default/data-1'],
    );
    assert.deepEqual(differences(one, volumesOf([2, 1], 'b leads')), []);
    assert.equal(differences(one, volumesOf([2, 1], 'b follows')).length, 2);
  });

  test('does not depend on which pod has which address', () => {
    const [one, other] = ['10.244.0.7', '10.244.1.12'].map((address) => stateOf(1, { text: `http://${address}:80` }));
    assert.deepEqual(differences(one!, other!), []);
  });

  test('does not depend on how often a ReplicaSet was scaled', () => {
    const [one, other] = [2, 4].map((generation) => {
      const store = new Store();
      const start = store.current;
      const metadata = { name: 'api', uid: uid(1), generation };
      const status = { replicas: 1, observedGeneration: generation };
      const replicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, status };
      store.commit('replicasets.apps/default/api', undefined, replicaSet);
      return endState(start, store.current, undefined);
    });
    assert.deepEqual(differences(one!, other!), []);
  });

  test('shows where a different value was written', () => {
    assert.deepEqual(differences(stateOf(1), stateOf(1, { text: 'other' })), [
      'configmaps/default/owned.data.text is "other", and "same" in the baseline run',
    ]);
  });

  test('shows the beginning of a missing object', () => {
    const [owned] = differences(stateOf(1, { text: 'long '.repeat(1000) }), new Map()).filter((line) =>
      line.startsWith('configmaps/default/owned'),
    );
    assert.match(owned ?? '', /^configmaps\/default\/owned is missing, and \{.{499}… in the baseline run$/);
  });

  test('does not depend on when and with which keys certificates were issued', () => {
    assert.deepEqual(differences(chainIn({ seed: 1 }), chainIn({ seed: 2, day: 1 })), []);
  });

  const others: [string, Parameters<typeof chainIn>[0], RegExp][] = [
    ['has another host name', { host: 'b' }, /tls.crt.0.subject is "CN=b"/],
    ['is valid for longer', { validDays: 3 }, /tls.crt.0.lasts is/],
    ["is signed by another key than its issuer's", { signer: 'other' }, /tls.crt.0.issuedBy.0 is missing/],
    ['has the key of another certificate', { key: 'authority' }, /tls.key.0 is "-----BEGIN PRIVATE KEY----- key 1/],
  ];
  for (const [does, options, difference] of others) {
    test(`differs where a certificate ${does}`, () => {
      const found = differences(chainIn({ seed: 1 }), chainIn({ seed: 2, ...options }));
      assert.match(found.join('\n'), difference);
    });
  }
});

/** A Secret with a certificate authority and a certificate that it issued. */
function chainIn({ seed = 1, day = 0, host = 'a', validDays = 2, signer = 'own', key = 'own' }): EndState {
  const { keys } = seededRandom(seed);
  const making = { now: Date.UTC(2026, 0, 1 + day), validDays, keys };
  const authority = certificateAuthority({ ...making, validDays: 9, name: `authority 2026-01-0${1 + day}T00:00:00Z` });
  const other = certificateAuthority({ ...making, name: 'other' });
  const issuer = signer === 'own' ? authority : { ...authority, key: other.key };
  const serving = issueServerCertificate(issuer, { ...making, names: [host], addresses: [] });
  const texts = {
    'ca.crt': authority.cert,
    'tls.crt': serving.cert,
    'tls.key': key === 'own' ? serving.key : authority.key,
  };
  const data = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, btoa(text)]));
  const store = new Store();
  const start = store.current;
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data };
  store.commit('secrets/default/a', undefined, secret);
  return endState(start, store.current, undefined);
}
