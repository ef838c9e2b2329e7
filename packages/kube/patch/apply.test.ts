// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Deployment } from '../builtin.ts';
import type { KubeObject } from '../object.ts';
import type { Schema } from '../schema.ts';
import { applyPatch, trackUpdate } from './apply.ts';
import { conflictMessage } from './conflict.ts';

const time = '2026-01-01T00:00:00Z';
const later = '2026-01-02T00:00:00Z';

function deployment(fields: Record<string, unknown>, metadata: object = {}): KubeObject & Record<string, unknown> {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, ...fields };
}

function apply(live: KubeObject | undefined, applied: KubeObject, manager = 'forge', options: object = {}) {
  return applyPatch({ live, applied, schema: Deployment.schema, manager, force: false, time, ...options });
}

function update(before: KubeObject | undefined, after: KubeObject): KubeObject {
  return trackUpdate({ before, after, schema: Deployment.schema, manager: 'editor', time: later });
}

function bare({ metadata: { name }, ...rest }: KubeObject): object {
  return { ...rest, metadata: { name } };
}

function fieldsOf(object: KubeObject, manager: string): unknown {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}

const web = { name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] };
const log = { name: 'log', image: 'log:1' };
const withContainers = (...containers: object[]) => deployment({ spec: { template: { spec: { containers } } } });

describe('server-side apply', () => {
  test('a first apply stores the fields and records them as the real server does', () => {
    const { object } = apply(
      undefined,
      deployment({ spec: { replicas: 2, template: { spec: { containers: [web] } } } }),
    );
    assert.deepEqual(object.metadata.managedFields, [
      {
        manager: 'forge',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:replicas': {},
            'f:template': {
              'f:spec': {
                'f:containers': {
                  'k:{"name":"web"}': {
                    '.': {},
                    'f:name': {},
                    'f:image': {},
                    'f:ports': {
                      'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ]);
  });

  test('applying the same again gives the very same object', () => {
    const applied = deployment({ spec: { replicas: 2, template: { spec: { containers: [web, log] } } } });
    const { object } = apply(undefined, applied);
    assert.equal(apply(object, structuredClone(applied), 'forge', { time: later }).object, object);
  });

  test('what is no longer applied goes, what others own stays', () => {
    const first = apply(
      undefined,
      deployment({ spec: { replicas: 2, paused: true } }, { labels: { a: '1', b: '2' } }),
    ).object;
    const second = apply(first, deployment({ spec: { replicas: 2 } }, { labels: { b: '2', c: '3' } }), 'other').object;
    const third = apply(second, deployment({ spec: { paused: true } })).object as ReturnType<typeof deployment>;
    assert.deepEqual(third['spec'], { replicas: 2, paused: true });
    assert.deepEqual(third.metadata.labels, { b: '2', c: '3' });
  });

  test('a struct goes with the last field somebody owned in it', () => {
    const first = apply(undefined, deployment({ spec: { strategy: { type: 'Recreate' }, replicas: 1 } })).object;
    const second = apply(first, deployment({ spec: { replicas: 1 } })).object as ReturnType<typeof deployment>;
    assert.deepEqual(second['spec'], { replicas: 1 });
  });

  test('changing what another owns is a conflict in the server’s words, and nothing happens', () => {
    const live = trackUpdate({
      before: undefined,
      after: deployment({ spec: { replicas: 1, paused: false } }),
      schema: Deployment.schema,
      manager: 'kubectl-client-side-apply',
      time,
    });
    const one = apply(live, deployment({ spec: { replicas: 3 } }));
    assert.equal(one.object, live);
    assert.equal(
      conflictMessage(one.conflicts),
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
    );
    const two = apply(live, deployment({ spec: { replicas: 3, paused: true } }));
    assert.equal(
      conflictMessage(two.conflicts),
      'Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using apps/v1:\n- .spec.replicas\n- .spec.paused',
    );
  });

  test('force takes the field over, equal values are owned together', () => {
    const live = apply(undefined, deployment({ spec: { replicas: 1, paused: true } }), 'first').object;
    const forced = apply(live, deployment({ spec: { replicas: 3, paused: true } }), 'second', { force: true });
    assert.deepEqual(forced.conflicts, []);
    assert.deepEqual(fieldsOf(forced.object, 'first'), { 'f:spec': { 'f:paused': {} } });
    assert.deepEqual(fieldsOf(forced.object, 'second'), { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } });
  });

  test('list items are merged by key, in the order applied, others keep their place', () => {
    const sidecar = { name: 'sidecar', image: 's' };
    const first = apply(undefined, withContainers(sidecar), 'injector').object;
    const second = apply(first, withContainers(web, log)).object;
    const third = apply(second, withContainers(log, { ...web, image: 'web:2' })).object;
    const { containers } = (third as unknown as { spec: { template: { spec: { containers: object[] } } } }).spec
      .template.spec;
    assert.deepEqual(containers, [sidecar, log, { ...web, image: 'web:2' }]);
    assert.deepEqual(
      fieldsOf(apply(third, withContainers(log)).object, 'forge'),
      fieldsOf(apply(undefined, withContainers(log)).object, 'forge'),
    );
  });

  test('an atomic value is owned as a whole', () => {
    const selector = { matchLabels: { app: 'web' } };
    const live = apply(undefined, deployment({ spec: { selector } }), 'first').object;
    const { conflicts } = apply(live, deployment({ spec: { selector: { matchLabels: { app: 'web', x: 'y' } } } }));
    assert.deepEqual(conflicts, [{ manager: '"first"', field: '.spec.selector' }]);
  });

  test('applying to the status subresource touches the status alone and has its own entry', () => {
    const live = apply(undefined, deployment({ spec: { replicas: 1 } })).object;
    const applied = deployment({ spec: { replicas: 9 }, status: { replicas: 1 } });
    const { object } = apply(live, applied, 'forge', { subresource: 'status', time: later });
    assert.deepEqual((object as ReturnType<typeof deployment>)['spec'], { replicas: 1 });
    assert.deepEqual(
      object.metadata.managedFields?.map(({ subresource, fieldsV1 }) => [subresource, fieldsV1]),
      [
        [undefined, { 'f:spec': { 'f:replicas': {} } }],
        ['status', { 'f:status': { 'f:replicas': {} } }],
      ],
    );
  });

  test('an object nobody tracked belongs to those before us', () => {
    const { conflicts } = apply(deployment({ spec: { replicas: 1 } }), deployment({ spec: { replicas: 2 } }));
    assert.deepEqual(conflicts, [{ manager: '"before-first-apply" using apps/v1', field: '.spec.replicas' }]);
  });
});

describe('an ordinary write', () => {
  test('owns what it creates, with the maps and list items but not the structs that are always there', () => {
    const created = update(
      undefined,
      deployment({ spec: { replicas: 1, strategy: { type: 'Recreate' } } }, { labels: { a: 'b' } }),
    );
    assert.deepEqual(fieldsOf(created, 'editor'), {
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': { 'f:replicas': {}, 'f:strategy': { 'f:type': {} } },
    });
  });

  test('takes what it changes from its owner, and what it removes from everybody', () => {
    const applied = apply(
      undefined,
      deployment({ spec: { replicas: 1, paused: true } }, { labels: { a: 'b' } }),
    ).object;
    const after = { ...applied, metadata: { ...applied.metadata, labels: {} }, spec: { replicas: 2, paused: true } };
    const written = update(applied, after);
    assert.deepEqual(fieldsOf(written, 'forge'), { 'f:spec': { 'f:paused': {} } });
    assert.deepEqual(fieldsOf(written, 'editor'), { 'f:spec': { 'f:replicas': {} } });
  });

  test('that changes nothing gives the very same object', () => {
    const applied = apply(undefined, deployment({ spec: { replicas: 1 } })).object;
    assert.equal(update(applied, applied), applied);
  });

  test('keeps the entries it had when the writer sends none', () => {
    const applied = apply(undefined, deployment({ spec: { replicas: 1 } })).object;
    const { managedFields, ...metadata } = applied.metadata;
    assert.deepEqual(update(applied, { ...applied, metadata }).metadata.managedFields, managedFields);
  });
});

describe('whatever is applied', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const schema: Schema = {
    type: 'object',
    properties: {
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      atomic: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string' }, w: { type: 'string' } } },
      },
    },
  };
  const content = fc.record(
    {
      set: fc.uniqueArray(key, { minLength: 1 }),
      atomic: fc.array(key),
      map: fc.dictionary(key, key, { minKeys: 1, noNullPrototype: true }),
      items: fc.uniqueArray(fc.record({ k: key, v: key, w: key }, { requiredKeys: ['k'], noNullPrototype: true }), {
        selector: ({ k }) => k,
        minLength: 1,
      }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  const object = content.map((fields) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, ...fields }));
  const run = (live: KubeObject | undefined, applied: KubeObject, manager: string) =>
    applyPatch({ live, applied, schema, manager, force: true, time }).object;

  test('one manager alone always gets exactly what it applies', () => {
    fc.assert(
      fc.property(object, object, (first, second) => {
        assert.deepEqual(bare(run(run(undefined, first, 'm'), second, 'm')), second);
      }),
    );
  });

  test('it is there afterwards, applying it again changes nothing, and inputs stay as they were', () => {
    fc.assert(
      fc.property(object, object, object, (first, second, third) => {
        const live = run(run(undefined, first, 'm'), second, 'n');
        const before = structuredClone([live, third]);
        const result = run(live, third, 'm');
        assert.deepEqual([live, third], before);
        assert.equal(run(result, structuredClone(third), 'm'), result);
      }),
    );
  });

  test('a manager that lets go leaves what the others applied', () => {
    fc.assert(
      fc.property(object, object, (first, second) => {
        const both = run(run(undefined, first, 'm'), second, 'n');
        const nothing = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };
        const left = run(both, nothing, 'm');
        assert.deepEqual(
          left.metadata.managedFields?.map(({ manager }) => manager) ?? [],
          Object.keys(second).length > 3 ? ['n'] : [],
        );
        assert.deepEqual(bare(left), second);
      }),
    );
  });
});
