// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from './schema.ts';
import { structuralErrors } from './structural.ts';

function field(property: Schema): Schema {
  return { type: 'object', properties: { a: property } };
}

test('missing parts of a structural schema are reported', () => {
  const cases: [Schema, string][] = [
    [{}, 's.type: Required value: must not be empty at the root'],
    [{ type: 'string' }, 's.type: Invalid value: "string": must be object at the root'],
    [field({}), 's.properties[a].type: Required value: must not be empty for specified object fields'],
    [field({ type: 'array' }), 's.properties[a].items: Required value: must be specified'],
    [
      field({ type: 'array', items: {} }),
      's.properties[a].items.type: Required value: must not be empty for specified array items',
    ],
    [
      field({ type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      's.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    [
      field({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } }),
      's.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
  ];
  for (const [schema, expected] of cases) {
    assert.deepEqual(
      structuralErrors(schema, 's').map((error) => `${error.field}: ${error.message}`),
      [expected],
    );
  }
});

function keyErrors(items: Schema): string[] {
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] } as const;
  return structuralErrors(field({ type: 'array', ...keyed, items }), 's').map((error) => error.field);
}

test('list map keys must be properties that always have a value', () => {
  assert.deepEqual(keyErrors({ type: 'object' }), ['s.properties[a].x-kubernetes-list-map-keys[0]']);
  assert.deepEqual(keyErrors({ type: 'object', properties: { k: { type: 'string' } } }), [
    's.properties[a].items.properties[k].default',
  ]);
  assert.deepEqual(keyErrors({ type: 'object', properties: { k: { type: 'string' } }, required: ['k'] }), []);
});

test('an alternative must not define structure', () => {
  const errors = structuralErrors(field({ type: 'string', anyOf: [{ type: 'string', not: { nullable: true } }] }), 's');
  assert.deepEqual(
    errors.map((error) => error.field),
    ['s.properties[a].anyOf[0].not.nullable', 's.properties[a].anyOf[0].type'],
  );
  const either: Schema = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  assert.deepEqual(structuralErrors(field(either), 's'), []);
});

test('a pattern that takes too long to compile is rejected', () => {
  const [error] = structuralErrors({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }, 's');
  assert.match(error?.message ?? '', /must be a valid regular expression/);
});
