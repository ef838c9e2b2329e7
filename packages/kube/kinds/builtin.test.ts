// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { structuralErrors } from '../schema/structural.ts';
import {
  builtinKinds,
  ClusterRole,
  Deployment,
  EndpointSlice,
  Event,
  NetworkPolicy,
  Pod,
  StatefulSet,
} from './builtin.ts';
import { collectionPath } from './kind.ts';

test('a built-in kind has its names, scope and subresources', () => {
  const { schema: _, ...deployment } = Deployment;
  assert.deepEqual(deployment, {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    singular: 'deployment',
    scope: 'Namespaced',
    apiVersion: 'apps/v1',
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: ['status', 'scale'],
    printerColumns: [],
  });
  assert.equal(collectionPath(Pod, 'x'), '/api/v1/namespaces/x/pods');
  assert.equal(collectionPath(ClusterRole), '/apis/rbac.authorization.k8s.io/v1/clusterroles');
  assert.deepEqual([NetworkPolicy.plural, EndpointSlice.plural], ['networkpolicies', 'endpointslices']);
});

test('no kind, plural or short name is taken twice within a group', () => {
  const names = builtinKinds.flatMap(({ group, plural, shortNames }) =>
    [plural, ...shortNames].map((name) => `${name}.${group}`),
  );
  assert.equal(new Set(names).size, names.length);
  assert.equal(builtinKinds.length, 50);
});

test('every schema is a finite structural tree below metadata', () => {
  for (const kind of builtinKinds) {
    const errors = structuralErrors(JSON.parse(JSON.stringify(kind.schema)), kind.kind);
    // In some lists keys may be missing, and structs are created without their required fields.
    assert.deepEqual(
      errors.filter(({ field }) => !field.includes('].default')),
      [],
      kind.kind,
    );
    assert.deepEqual(
      ['apiVersion', 'kind', 'metadata'].filter((field) => field in (kind.schema.properties ?? {})),
      [],
    );
    assert.equal(kind.schema, kind.schema);
  }
  assert.deepEqual(Event.schema.required, ['involvedObject']);
});

test('schemas carry what merging and apply need', () => {
  const containers = Pod.schema.properties?.['spec']?.properties?.['containers'];
  assert.ok(containers);
  assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
  assert.equal(containers['x-kubernetes-list-type'], 'map');
  assert.equal(containers.items?.properties?.['ports']?.items?.properties?.['protocol']?.default, 'TCP');
  const strategy = Deployment.schema.properties?.['spec']?.properties?.['strategy'];
  assert.equal(strategy?.['x-kubernetes-patch-strategy'], 'retainKeys');
  const claim = StatefulSet.schema.properties?.['spec']?.properties?.['volumeClaimTemplates']?.items;
  assert.ok(claim?.properties?.['metadata']?.properties?.['labels']);
});
