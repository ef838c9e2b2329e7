// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { validateRules } from '@forge/apiserver/cel/rules/validate-rules.ts';
import { exactlyOne, hasItems, immutable, immutableMode, isSet } from './checked-rule.ts';
import type { Schema } from './schema.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    host: { type: 'string' },
    servers: { type: 'array', items: { type: 'string' } },
    clusterRef: { type: 'object', properties: { name: { type: 'string' } } },
    region: { type: 'string' },
  },
};

const clusters = [{}, ...['', 'default', 'other'].map((name) => ({ clusterRef: { name } }))];
const backends = [{}, { host: '' }, { servers: [] }, { host: 'db', servers: ['cache'] }];
const regions = ['', 'default', 'other'].map((region) => ({ region }));
const values = clusters.flatMap((cluster) => [
  ...backends.map((backend) => ({ region: 'other', ...cluster, ...backend })),
  ...regions.map((region) => ({ ...cluster, ...region })),
]);

const rows = {
  'exactly one field': exactlyOne(isSet('clusterRef'), isSet('host'), 'one'),
  'exactly one field or list': exactlyOne(isSet('clusterRef'), hasItems('servers'), 'one'),
  'a mode': immutableMode('clusterRef', 'mode'),
  'an immutable field': immutable('final', { field: '.region' }),
  'an immutable field with a default': immutable('final', { field: '.region', fallback: 'default' }),
  'an immutable field of an optional part': immutable('final', { field: '.clusterRef.name', fallback: 'default' }),
  'a field that is immutable in one mode': immutable('final', { field: '.region', unless: 'clusterRef' }),
};

for (const [name, { errors, ...rules }] of Object.entries(rows)) {
  test(`CEL and check agree on ${name}`, () => {
    for (const self of values) {
      // The schema leaves alone what did not change.
      for (const oldSelf of [undefined, ...values.filter((each) => !isDeepStrictEqual(each, self))]) {
        const bySchema = validateRules({
          schema: { ...schema, ...rules },
          object: self,
          ...(oldSelf && { old: oldSelf }),
        });
        const byCheck = errors('', self, oldSelf);
        assert.deepEqual(
          byCheck.map(({ field }) => field.slice(1)),
          bySchema.map(({ field }) => field.replace('<nil>', '')),
          JSON.stringify([self, oldSelf]),
        );
      }
    }
  });
}

test('the value itself can be immutable, and what an empty text means is reported', () => {
  const { errors } = immutable('region is immutable', { fallback: 'RegionOne' });
  assert.deepEqual(errors('spec.region', 'RegionOne', ''), []);
  assert.deepEqual(errors('spec.region', '', 'EU'), [
    { field: 'spec.region', reason: 'FieldValueInvalid', message: 'Invalid value: "RegionOne": region is immutable' },
  ]);
  assert.deepEqual(errors('spec.region', 'EU'), []);
});
