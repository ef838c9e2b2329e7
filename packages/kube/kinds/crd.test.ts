// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { prune } from '../schema/prune.ts';
import { rule } from '../schema/schema-types.ts';
import { structuralErrors } from '../schema/structural.ts';
import { validate } from '../schema/validate.ts';
import { CustomResourceDefinition, Pod } from './builtin.ts';
import { crdOf } from './crd.ts';
import { kind } from './kind.ts';

const Widget = kind({
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  categories: ['all'],
  description: 'A thing.',
  spec: Type.Object({
    replicas: Type.Integer({ minimum: 1, default: 3 }),
    pod: Type.Unsafe<object>({ ...Pod.schema.properties?.['spec'] }),
  }),
  status: Type.Object({ ready: Type.Optional(Type.Boolean()) }),
  printerColumns: [{ name: 'Ready', type: 'boolean', jsonPath: '.status.ready' }],
});

test('a kind becomes a CustomResourceDefinition that the API server accepts', () => {
  const crd = crdOf(Widget);
  assert.deepEqual(validate(crd, CustomResourceDefinition.schema), []);
  assert.deepEqual(prune(crd, CustomResourceDefinition.schema).dropped, []);
  assert.equal(crd.metadata.name, 'widgets.example.org');
  assert.deepEqual(crd.spec.names, {
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: ['wd'],
    categories: ['all'],
  });
  const [version] = crd.spec.versions;
  assert.deepEqual(version?.subresources, { status: {} });
  assert.deepEqual(version.additionalPrinterColumns, Widget.printerColumns);
  assert.equal(version.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['replicas']?.default, 3);
});

test('its schema is structural and free of extensions of built-in kinds', () => {
  const schema = crdOf(Widget).spec.versions[0]?.schema?.openAPIV3Schema ?? {};
  assert.deepEqual(structuralErrors(schema, 'schema'), []);
  assert.doesNotMatch(JSON.stringify(schema), /x-kubernetes-patch|quantity|"int-or-string"/);
});

test('a kind may have rules about the object as a whole, and be scaled', () => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const message = 'the name is too long';
  const Scaled = kind({
    group: 'example.org',
    version: 'v1',
    kind: 'Scaled',
    plural: 'scaleds',
    description: 'A thing.',
    spec: Type.Object({ replicas: Type.Integer() }),
    status: Type.Object({ replicas: Type.Optional(Type.Integer()) }),
    rules: rule('self.metadata.name.size() < 10', message),
    scale,
  });
  const crd = crdOf(Scaled);
  const [version] = crd.spec.versions;
  assert.ok(version !== undefined);
  assert.deepEqual(version.subresources, { status: {}, scale });
  assert.deepEqual(version.schema?.openAPIV3Schema?.['x-kubernetes-validations'], [
    { rule: 'self.metadata.name.size() < 10', message },
  ]);
  assert.deepEqual(validate(crd, CustomResourceDefinition.schema), []);
});

test('a CustomResourceDefinition in a group of the Kubernetes community has the annotation that API servers require', () => {
  const groups = ['k8s.io', 'gateway.networking.k8s.io', 'a.kubernetes.io', 'k8s.example.org', 'notk8s.io'];
  const annotations = groups.map((group) => crdOf({ ...Widget, group }).metadata.annotations ?? {});
  assert.deepEqual(
    annotations.map((each) => each['api-approved.kubernetes.io']?.split(',')[0]),
    ['unapproved', 'unapproved', 'unapproved', undefined, undefined],
  );
});
