// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment, Pod } from './builtin.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };

function texts(spec: unknown, property: Schema): string[] {
  const schema: Schema = { type: 'object', properties: { spec: property } };
  return validate({ ...object, spec } as typeof object, schema).map(({ field, message }) => `${field}: ${message}`);
}

test('each rule speaks as the real server does', () => {
  const cases: [unknown, Schema, string][] = [
    [-1, { type: 'integer', minimum: 1 }, 'spec: Invalid value: -1: spec in body should be greater than or equal to 1'],
    [9, { type: 'integer', maximum: 5 }, 'spec: Invalid value: 9: spec in body should be less than or equal to 5'],
    ['x', { type: 'integer' }, 'spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    [1.5, { type: 'integer' }, 'spec: Invalid value: "number": spec in body must be of type integer: "number"'],
    [null, { type: 'string' }, 'spec: Invalid value: "null": spec in body must be of type string: "null"'],
    [[], { type: 'object' }, 'spec: Invalid value: "array": spec in body must be of type object: "array"'],
    ['x', { type: 'string', enum: ['a', 'b'] }, 'spec: Unsupported value: "x": supported values: "a", "b"'],
    ['x', { type: 'string', pattern: '^a+$' }, 'spec: Invalid value: "x": spec in body should match \'^a+$\''],
    ['', { type: 'string', minLength: 1 }, 'spec: Invalid value: "": spec in body should be at least 1 chars long'],
    ['🙂', { type: 'string', minLength: 2 }, 'spec: Invalid value: "🙂": spec in body should be at least 2 chars long'],
    ['abc', { type: 'string', maxLength: 2 }, 'spec: Too long: may not be more than 2 bytes'],
    [[], { type: 'array', minItems: 1 }, 'spec: Invalid value: 0: spec in body should have at least 1 items'],
    [[1, 2], { type: 'array', maxItems: 1 }, 'spec: Too many: 2: must have at most 1 items'],
    [
      {},
      { type: 'object', minProperties: 1 },
      'spec: Invalid value: 0: spec in body should have at least 1 properties',
    ],
    [{ a: 1, b: 2 }, { type: 'object', maxProperties: 1 }, 'spec: Too many: 2: must have at most 1 items'],
    [{}, { type: 'object', required: ['a'] }, 'spec.a: Required value'],
    [
      'soon',
      { type: 'string', format: 'date-time' },
      'spec: Invalid value: "soon": spec in body must be of type date-time: "soon"',
    ],
    [
      3e9,
      { type: 'integer', format: 'int32' },
      'spec: Invalid value: 3000000000: spec in body must be of type int32: "3000000000"',
    ],
    [
      true,
      { 'x-kubernetes-int-or-string': true },
      'spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"',
    ],
    [['a', 'a'], { type: 'array', 'x-kubernetes-list-type': 'set' }, 'spec[1]: Duplicate value: "a"'],
    [
      [{ k: 'a' }, { k: 'a', v: 1 }],
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      'spec[1]: Duplicate value: {"k":"a"}',
    ],
    [
      { m: { k: 1 } },
      { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'string' } } } },
      'spec.m.k: Invalid value: "integer": spec.m.k in body must be of type string: "integer"',
    ],
  ];
  for (const [value, schema, expected] of cases) assert.deepEqual(texts(value, schema), [expected]);
});

test('what fits is silent', () => {
  const cases: [unknown, Schema][] = [
    [null, { type: 'string', nullable: true }],
    ['50%', { 'x-kubernetes-int-or-string': true }],
    [0.5, { 'x-kubernetes-int-or-string': true, format: 'quantity' }],
    ['🙂🙂', { type: 'string', maxLength: 2, minLength: 2 }],
    ['2026-01-01T00:00:00.5+01:00', { type: 'string', format: 'date-time' }],
    [{ any: ['thing'] }, { 'x-kubernetes-preserve-unknown-fields': true }],
  ];
  for (const [value, schema] of cases) assert.deepEqual(texts(value, schema), []);
});

test('built-in kinds are checked by their real schema, metadata too', () => {
  const deployment = { ...object, metadata: { name: 'x', labels: { a: 1 } }, spec: { replicas: 'two' } };
  const errors = validate(deployment as unknown as typeof object, Deployment.schema);
  assert.deepEqual(errors.map(({ field, reason }) => `${field} ${reason}`).toSorted(), [
    'metadata.labels.a FieldValueTypeInvalid',
    'spec.replicas FieldValueTypeInvalid',
    'spec.selector FieldValueRequired',
    'spec.template FieldValueRequired',
  ]);
  const containers = [
    { name: 'a', ports: [{ containerPort: 80 }], resources: { limits: { cpu: 0.5, memory: '1Gi' } } },
  ];
  const pod = { ...object, spec: { containers } };
  assert.deepEqual(validate(pod, Pod.schema), []);
});
