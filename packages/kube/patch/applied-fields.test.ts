// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '../objects/object.ts';
import { extractFields } from './applied-fields.ts';
import type { FieldSet } from './field-set.ts';

const live = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'site', uid: '1', labels: { app: 'web', unowned: 'x' } },
  spec: {
    replicas: 2,
    revisionHistoryLimit: 10,
    selector: { matchLabels: { app: 'web' } },
    containers: [
      { name: 'sidecar', image: 'unowned' },
      { name: 'web', image: 'web:1', ports: [{ containerPort: 80, protocol: 'TCP' }], imagePullPolicy: 'Always' },
    ],
    finalizers: ['ours', 'theirs'],
  },
};

describe('the owned part of an object', () => {
  test('is what the manager applied: fields, items of keyed lists and sets, and whole atomic values', () => {
    const fields: FieldSet = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': {
        'f:replicas': {},
        'f:selector': {},
        'f:containers': {
          'k:{"name":"web"}': {
            '.': {},
            'f:name': {},
            'f:image': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
          },
        },
        'f:finalizers': { 'v:"ours"': {} },
      },
    };
    assert.deepEqual(extractFields(live, fields), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'site', labels: { app: 'web' } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }],
        finalizers: ['ours'],
      },
    });
  });

  test('is found in a long list without parsing each edge for each item', (context) => {
    const env = Array.from({ length: 100 }, (_, index) => ({ name: `V${index}`, value: 'x' }));
    const items = env.map(({ name }) => [`k:${JSON.stringify({ name })}`, { 'f:name': {}, 'f:value': {} }] as const);
    const parse = context.mock.method(JSON, 'parse');
    const part = extractFields({ ...live, env } as KubeObject, { 'f:env': Object.fromEntries(items) });
    assert.deepEqual((part as { env: unknown }).env, env);
    assert.equal(parse.mock.callCount(), env.length);
  });

  test('omits what was applied and has been removed by others', () => {
    const part = extractFields(live, {
      'f:spec': { 'f:paused': {}, 'f:template': { 'f:spec': {} }, 'f:replicas': {} },
    });
    assert.deepEqual(part, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'site' },
      spec: { replicas: 2 },
    });
  });

  test('has fields such as `constructor` only when they are own fields', () => {
    const data = Object.fromEntries([['__proto__', 'x']]);
    const fields: FieldSet = { 'f:data': { 'f:__proto__': {}, 'f:constructor': {} } };
    const { data: part } = extractFields({ ...live, data } as KubeObject, fields) as { data: object };
    assert.deepEqual(Object.entries(part), [['__proto__', 'x']]);
  });
});
