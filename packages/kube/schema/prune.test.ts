// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pod } from '../kinds/builtin.ts';
import { prune } from './prune.ts';

const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };

test('unknown fields are pruned and reported by path', () => {
  const pod = {
    ...object,
    metadata: { name: 'web', labels: { any: 'key' }, colour: 'red' },
    spec: {
      containers: [
        { name: 'a', image: 'i' },
        { name: 'b', imge: 'i' },
      ],
      x: 1,
    },
  };
  const { object: kept, dropped } = prune(pod, Pod.schema);
  assert.deepEqual(dropped, ['metadata.colour', 'spec.containers[1].imge', 'spec.x']);
  assert.deepEqual(kept, {
    ...object,
    metadata: { name: 'web', labels: { any: 'key' } },
    spec: { containers: [{ name: 'a', image: 'i' }, { name: 'b' }] },
  });
  assert.equal(kept.spec.containers[0], pod.spec.containers[0]);
});

test('an object with known fields only is returned as is', () => {
  const pod = { ...object, spec: { containers: [{ name: 'a', resources: { limits: { cpu: 1 } } }] } };
  assert.deepEqual(prune(pod, Pod.schema), { object: pod, dropped: [] });
  assert.equal(prune(pod, Pod.schema).object, pod);
});

test('where unknown fields are preserved, the known ones are still pruned', () => {
  const schema = {
    type: 'object',
    properties: {
      open: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { known: { type: 'object', properties: {} } },
      },
      resource: { type: 'object', 'x-kubernetes-embedded-resource': true },
    },
  } as const;
  const given = { ...object, open: { any: { thing: 1 }, known: { x: 1 } }, resource: { ...object, spec: {} } };
  const { object: kept, dropped } = prune(given, schema);
  assert.deepEqual(dropped, ['open.known.x', 'resource.spec']);
  assert.deepEqual(kept, { ...object, open: { any: { thing: 1 }, known: {} }, resource: object });
});

test('null is pruned where it is not nullable and has no default', () => {
  const schema = {
    type: 'object',
    properties: {
      plain: { type: 'string' },
      nullable: { type: 'string', nullable: true },
      defaulted: { type: 'string', default: 'x' },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
    },
  } as const;
  const given = { ...object, plain: null, nullable: null, defaulted: null, any: null };
  const { plain: _, ...rest } = given;
  assert.deepEqual(prune(given, schema), { object: rest, dropped: [] });
});
