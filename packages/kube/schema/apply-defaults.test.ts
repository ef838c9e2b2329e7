// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDefaults } from './apply-defaults.ts';
import type { Schema } from './schema.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      default: {},
      properties: {
        replicas: { type: 'integer', default: 3 },
        note: { type: 'string', nullable: true, default: 'n' },
        plain: { type: 'string' },
        items: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean', default: true } } } },
        map: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { x: { type: 'string', default: 'y' } } },
        },
      },
    },
  },
};
const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };
const specOf = (spec: object): unknown =>
  (applyDefaults({ ...object, spec }, schema) as unknown as { spec: unknown }).spec;

test('defaults fill what is missing, at every depth', () => {
  assert.deepEqual(applyDefaults(object, schema), { ...object, spec: { replicas: 3, note: 'n' } });
  assert.deepEqual(specOf({ replicas: 0, note: '', items: [{}, { on: false }], map: { a: {} } }), {
    replicas: 0,
    note: '',
    items: [{ on: true }, { on: false }],
    map: { a: { x: 'y' } },
  });
});

test('null stands for the default unless the field is nullable', () => {
  assert.deepEqual(specOf({ replicas: null, note: null, plain: null }), { replicas: 3, note: null, plain: null });
});

test('a complete object is returned as is, and no object is modified in place', () => {
  const full = { ...object, spec: { replicas: 1, note: 'x', items: [{ on: true }] } };
  assert.equal(applyDefaults(full, schema), full);
  const bare = Object.freeze({ ...object, spec: Object.freeze({ items: Object.freeze([Object.freeze({})]) }) });
  assert.deepEqual(applyDefaults(bare, schema), { ...object, spec: { replicas: 3, note: 'n', items: [{ on: true }] } });
});
