// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Store } from '@forge/apiserver/storage/store.ts';
import { currentState } from './current-state.ts';
import { differences } from './end-state.ts';

const history = /^example.com\/was-/;

/** The objects of a Deployment after this many changes of its template. */
function stateAfter(
  changes: number,
  { image = 'new', annotations = {} }: { image?: string; annotations?: object } = {},
) {
  const store = new Store();
  for (let revision = 1; revision <= changes; revision += 1) {
    const metadata = { name: `web-${revision}`, uid: `uid ${revision}`, generation: revision };
    const replicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { replicas: 0 } };
    store.commit(`replicasets.apps/default/web-${revision}`, undefined, replicaSet);
  }
  const metadata = {
    name: 'web',
    uid: 'uid',
    generation: changes,
    annotations: { ...annotations, 'deployment.kubernetes.io/revision': String(changes) },
  };
  const status = { observedGeneration: changes };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { image }, status };
  store.commit('deployments.apps/default/web', undefined, deployment);
  return currentState(store.current, undefined, { history });
}

function configMapWith(metadata: object) {
  const store = new Store();
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } };
  store.commit('configmaps/default/a', undefined, configMap);
  return currentState(store.current, undefined, { history });
}

describe('a current state', () => {
  test('does not depend on the number of earlier states', () => {
    const annotations = { 'example.com/was-scaled': 'yes' };
    assert.deepEqual(differences(stateAfter(1), stateAfter(3, { annotations })), []);
  });

  test('does not depend on whether there was a map with nothing but traces of earlier states', () => {
    const scaled = configMapWith({ annotations: { 'example.com/was-scaled': 'yes' } });
    assert.deepEqual(differences(configMapWith({}), scaled), []);
    assert.equal(differences(configMapWith({}), configMapWith({ annotations: {} })).length, 1);
  });

  test('shows a difference even if the object never changed in one of the runs', () => {
    assert.deepEqual(differences(stateAfter(3), stateAfter(1, { image: 'old' })), [
      'deployments.apps/default/web.spec.image is "old", and "new" in the baseline run',
    ]);
  });
});
