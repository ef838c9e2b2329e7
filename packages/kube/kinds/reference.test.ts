// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { definitionSchema } from '../schema/kind-schema.ts';
import { choice, embedded, mapOf } from '../schema/schema-types.ts';
import { kind } from './kind.ts';
import { referenceOf } from './reference.ts';

const Widget = kind({
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  categories: ['all'],
  description: 'A thing.',
  spec: Type.Object({
    replicas: Type.Integer({ minimum: 1, default: 3, description: 'How many.' }),
    parts: Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 9, pattern: '^a' }),
        code: Type.String({ minLength: 1, pattern: '^(a|b)*c{1,9}(d|e|f)+[g-z]$' }),
      }),
      {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-validations': [
          { rule: 'self.size() > 0', message: 'there must be a part' },
          { rule: 'self.size() < 9', fieldPath: '.size' },
        ],
      },
    ),
    levels: Type.Optional(mapOf(choice(['low', 'high']))),
    limits: Type.Optional(mapOf(embedded<string>(definitionSchema('Quantity')))),
  }),
  status: Type.Object({ ready: Type.Optional(Type.Boolean()) }),
  printerColumns: [{ name: 'Ready', type: 'boolean', jsonPath: '.status.ready', priority: 1 }],
});

test('the page contains names, fields, defaults, rules and columns', () => {
  assert.equal(
    referenceOf(Widget, 'crds.yaml'),
    `# Widget

A thing.

- API version: \`example.org/v1\`
- Resource: \`widgets\`, namespaced
- Short names: \`wd\`
- Categories: \`all\`
- [CRD](crds.yaml): the schema, with the patterns and the expressions of all rules

## spec

- \`replicas\`: integer, default \`3\`, at least 1. How many.
- \`parts\`: list of object, required, one item per \`name\`.
  - Rule: there must be a part
  - Rule: \`size\`: \`self.size() < 9\`
  - \`name\`: string, required, at most 9 characters, matching \`^a\`.
  - \`code\`: string, required, not empty, matching its pattern.
- \`levels\`: map of string, one of \`"low"\`, \`"high"\`.
- \`limits\`: map of quantity.

## status

- \`ready\`: boolean.

## Columns of \`kubectl get\`

- Ready: \`.status.ready\`, with \`-o wide\`.
`,
  );
});
