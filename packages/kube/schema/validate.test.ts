// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment, Pod } from '../kinds/builtin.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };

function texts(spec: unknown, property: Schema): string[] {
  const schema: Schema = { type: 'object', properties: { spec: property } };
  return validate({ ...object, spec } as typeof object, schema).map(({ field, message }) => `${field}: ${message}`);
}

test("each rule has the server's message", () => {
  const cases: [unknown, Schema, string][] = [
    [-1, { type: 'integer', minimum: 1 }, 'spec: Invalid value: -1: spec in body should be greater than or equal to 1'],
    [9, { type: 'integer', maximum: 5 }, 'spec: Invalid value: 9: spec in body should be less than or equal to 5'],
    ['x', { type: 'integer' }, 'spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    [null, { type: 'string' }, 'spec: Invalid value: "null": spec in body must be of type string: "null"'],
    [[], { type: 'object' }, 'spec: Invalid value: "array": spec in body must be of type object: "array"'],
    [
      1,
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      'spec: Invalid value: 1: spec in body should be greater than 1',
    ],
    [
      5,
      { type: 'number', maximum: 5, exclusiveMaximum: true },
      'spec: Invalid value: 5: spec in body should be less than 5',
    ],
    [4, { type: 'integer', multipleOf: 3 }, 'spec: Invalid value: 4: spec in body should be a multiple of 3'],
    [3, { type: 'integer', enum: [1, 2] }, 'spec: Unsupported value: 3: supported values: "1", "2"'],
    [
      'x',
      { type: 'string', not: { enum: ['x'] } },
      '<nil>: Invalid value: "": "spec" must not validate the schema (not)',
    ],
    [
      2,
      { type: 'integer', oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    ['x', { type: 'string', enum: ['a', 'b'] }, 'spec: Unsupported value: "x": supported values: "a", "b"'],
    ['x', { type: 'string', pattern: '^a+$' }, 'spec: Invalid value: "x": spec in body should match \'^a+$\''],
    ['', { type: 'string', minLength: 1 }, 'spec: Invalid value: "": spec in body should be at least 1 chars long'],
    ['🙂', { type: 'string', minLength: 2 }, 'spec: Invalid value: "🙂": spec in body should be at least 2 chars long'],
    ['abc', { type: 'string', maxLength: 2 }, 'spec: Too long: may not be more than 2 bytes'],
    [[], { type: 'array', minItems: 1 }, 'spec: Invalid value: 0: spec in body should have at least 1 items'],
    [[1, 2], { type: 'array', maxItems: 1 }, 'spec: Too many: 2: must have at most 1 item'],
    [
      {},
      { type: 'object', minProperties: 1 },
      'spec: Invalid value: 0: spec in body should have at least 1 properties',
    ],
    [{ a: 1, b: 2 }, { type: 'object', maxProperties: 1 }, 'spec: Too many: 2: must have at most 1 item'],
    [{}, { type: 'object', required: ['a'] }, 'spec.a: Required value'],
    [
      'soon',
      { type: 'string', format: 'date-time' },
      'spec: Invalid value: "soon": spec in body must be of type date-time: "soon"',
    ],
    [
      3e9,
      { type: 'integer', format: 'int32' },
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec',
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

test('a value that matches no alternative is reported with the errors of the first', () => {
  const either: Schema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
  assert.deepEqual(texts({}, either), [
    '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
    'spec.a: Required value',
  ]);
  assert.deepEqual(texts({ b: 1 }, either), []);
  assert.deepEqual(texts(5, { type: 'integer', oneOf: [{ minimum: 10 }, { maximum: 3 }] }), [
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
    'spec: Invalid value: 5: spec in body should be greater than or equal to 10',
  ]);
  assert.deepEqual(texts(5, { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }] }), [
    'spec: Invalid value: 5: spec in body should be less than or equal to 3',
    '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
  ]);
});

test('a non-integer number has two errors, length comes before pattern, a duplicate is reported once', () => {
  assert.deepEqual(texts(1.5, { type: 'integer' }), [
    'spec: Invalid value: "number": spec in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
  ]);
  assert.deepEqual(texts(1e19, { type: 'integer', format: 'int64' }), [
    'spec: Invalid value: "float64": spec in body must be of type int64: "float64"',
    '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec',
  ]);
  assert.deepEqual(texts('bbb', { type: 'string', maxLength: 2, pattern: '^a$' }), [
    'spec: Too long: may not be more than 2 bytes',
  ]);
  assert.deepEqual(texts(['a', 'a', 'a'], { type: 'array', 'x-kubernetes-list-type': 'set' }), [
    'spec[1]: Duplicate value: "a"',
  ]);
});

test('an embedded resource requires apiVersion and kind', () => {
  assert.deepEqual(texts({}, { type: 'object', 'x-kubernetes-embedded-resource': true }), [
    'spec.apiVersion: Required value',
    'spec.kind: Required value',
  ]);
});

test('strings are checked against their format', () => {
  const cases: [string, string, string][] = [
    ['date', '2020-02-01', '2020-13-01'],
    ['uuid', '8f14e45f-ceea-4e7a-9c1b-1a2b3c4d5e6f', 'x'],
    ['ipv4', '10.0.0.1', '::1'],
    ['ipv6', '::1', '10.0.0.1'],
    ['cidr', '10.0.0.0/8', '10.0.0.0/33'],
    ['byte', 'YQ==', 'YQ='],
    ['duration', '1h30m', 'soon'],
    ['email', 'a@b', 'a'],
    ['hostname', 'a.b-c', 'a_b'],
    ['uri', 'https://a/b', 'x y'],
    ['mac', '00:11:22:33:44:55', '00'],
  ];
  for (const [format, good, bad] of cases) {
    assert.deepEqual(texts(good, { type: 'string', format }), []);
    assert.deepEqual(texts(bad, { type: 'string', format }), [
      `spec: Invalid value: "${bad}": spec in body must be of type ${format}: "${bad}"`,
    ]);
  }
  assert.deepEqual(texts('anything', { type: 'string', format: 'unheard-of' }), []);
});

test('valid values have no errors', () => {
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

test('an invalid old value is accepted until it changes', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['color'],
        properties: { color: { type: 'string' }, size: { type: 'integer', minimum: 3 } },
      },
    },
  };
  const fieldsOf = (spec: object, before: object) =>
    validate({ ...object, spec } as typeof object, schema, { ...object, spec: before } as typeof object).map(
      ({ field }) => field,
    );
  assert.deepEqual(fieldsOf({ size: 1 }, { size: 1 }), []);
  assert.deepEqual(fieldsOf({ size: 2 }, { size: 1 }), ['spec.size', 'spec.color']);
  assert.deepEqual(fieldsOf({ size: 1, color: 'red' }, { size: 1 }), []);
});
