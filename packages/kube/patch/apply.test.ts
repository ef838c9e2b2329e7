// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Deployment } from '../kinds/builtin.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from '../schema/schema.ts';
import { applyPatch } from './apply.ts';
import { conflictMessage } from './conflict.ts';
import { trackUpdate } from './track-update.ts';

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

  test('applying the same fields again returns the same object', () => {
    const applied = deployment({ spec: { replicas: 2, template: { spec: { containers: [web, log] } } } });
    const { object } = apply(undefined, applied);
    assert.equal(apply(object, structuredClone(applied), 'forge', { time: later }).object, object);
  });

  test('fields that are no longer applied are removed, unless another manager owns them', () => {
    const first = apply(
      undefined,
      deployment({ spec: { replicas: 2, paused: true } }, { labels: { a: '1', b: '2' } }),
    ).object;
    const second = apply(first, deployment({ spec: { replicas: 2 } }, { labels: { b: '2', c: '3' } }), 'other').object;
    const third = apply(second, deployment({ spec: { paused: true } })).object as ReturnType<typeof deployment>;
    assert.deepEqual(third['spec'], { replicas: 2, paused: true });
    assert.deepEqual(third.metadata.labels, { b: '2', c: '3' });
  });

  test('a struct is removed with its last owned field', () => {
    const first = apply(undefined, deployment({ spec: { strategy: { type: 'Recreate' }, replicas: 1 } })).object;
    const second = apply(first, deployment({ spec: { replicas: 1 } })).object as ReturnType<typeof deployment>;
    assert.deepEqual(second['spec'], { replicas: 1 });
  });

  test('changing a field of another manager is a conflict with the server’s message, and nothing changes', () => {
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
      'Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using apps/v1:\n- .spec.paused\n- .spec.replicas',
    );
  });

  test('force takes over the field, and equal values are co-owned', () => {
    const live = apply(undefined, deployment({ spec: { replicas: 1, paused: true } }), 'first').object;
    const forced = apply(live, deployment({ spec: { replicas: 3, paused: true } }), 'second', { force: true });
    assert.deepEqual(forced.conflicts, []);
    assert.deepEqual(fieldsOf(forced.object, 'first'), { 'f:spec': { 'f:paused': {} } });
    assert.deepEqual(fieldsOf(forced.object, 'second'), { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } });
  });

  test('list items are merged by key in the applied order, and other items keep their position', () => {
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

  test('applying to the status subresource changes only the status and has its own entry', () => {
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

  test('an untracked object belongs to before-first-apply', () => {
    const { conflicts } = apply(deployment({ spec: { replicas: 1 } }), deployment({ spec: { replicas: 2 } }));
    assert.deepEqual(conflicts, [{ manager: '"before-first-apply" using apps/v1', field: '.spec.replicas' }]);
  });
});

describe('what server-side apply leaves behind', () => {
  test('co-owning existing values is not a change: the entry has no time', () => {
    const live = apply(undefined, deployment({ spec: { replicas: 1 } }), 'first').object;
    const { object } = apply(live, deployment({ spec: { replicas: 1 } }), 'second', { time: later });
    assert.deepEqual(
      object.metadata.managedFields?.map((entry) => [entry.manager, entry.time]),
      [
        ['second', undefined],
        ['first', time],
      ],
    );
  });

  test('an empty list with owned items claims nothing, an empty map claims itself', () => {
    const applied = deployment({
      spec: { template: { spec: { containers: [{ ...log, env: [] }], nodeSelector: {} } } },
    });
    assert.deepEqual(fieldsOf(apply(undefined, applied).object, 'forge'), {
      'f:spec': {
        'f:template': {
          'f:spec': {
            'f:containers': { 'k:{"name":"log"}': { '.': {}, 'f:name': {}, 'f:image': {} } },
            'f:nodeSelector': {},
          },
        },
      },
    });
  });

  test('a map that loses all entries becomes null, and metadata stays', () => {
    const first = apply(undefined, deployment({ spec: { replicas: 1 } }, { labels: { a: '1' } })).object;
    const second = apply(first, deployment({}, { labels: {} })).object as ReturnType<typeof deployment>;
    assert.equal(second.metadata.labels, null);
    assert.equal('spec' in second, false);
    const third = apply(first, deployment({ spec: { replicas: 1 } })).object;
    assert.deepEqual(third.metadata.name, 'web');
  });

  test('items with duplicate keys are owned together', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const live = update(undefined, withContainers({ ...log, env }));
    const { conflicts } = apply(live, withContainers({ name: 'log', env: [{ name: 'A', value: '3' }] }));
    const item = '.spec.template.spec.containers[name="log"].env[name="A"]';
    assert.deepEqual(conflicts, [{ manager: '"editor" using apps/v1', field: item }]);
  });
});

describe('kubectl moving from client-side to server-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const live = update(
    undefined,
    deployment(
      { spec: { replicas: 1, paused: true } },
      {
        annotations: { [annotation]: JSON.stringify(deployment({ spec: { replicas: 1 } })) },
      },
    ),
  );

  test('takes over what it applied before, and keeps its annotation', () => {
    const { object, conflicts } = apply(live, deployment({ spec: { replicas: 2 } }), 'kubectl');
    assert.deepEqual(conflicts, []);
    assert.equal(
      object.metadata.annotations?.[annotation],
      '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2}}\n',
    );
  });

  test('does not take over fields of other managers, and no other manager can', () => {
    const contested = deployment({ spec: { replicas: 2, paused: false } });
    assert.deepEqual(apply(live, contested, 'kubectl').conflicts, [
      { manager: '"editor" using apps/v1', field: '.spec.paused' },
    ]);
    assert.equal(apply(live, contested, 'somebody').conflicts.length, 2);
  });
});

describe('an update', () => {
  test('owns the fields that it creates, with maps and list items, but not structs that always exist', () => {
    const created = update(
      undefined,
      deployment({ spec: { replicas: 1, strategy: { type: 'Recreate' } } }, { labels: { a: 'b' } }),
    );
    assert.deepEqual(fieldsOf(created, 'editor'), {
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': { 'f:replicas': {}, 'f:strategy': { 'f:type': {} } },
    });
  });

  test('of a new object is computed once, when it is read, copied or encoded', () => {
    const [entry] = update(undefined, deployment({ spec: { replicas: 1 } })).metadata.managedFields ?? [];
    const { fieldsV1, ...rest } = Object.freeze(entry) ?? {};
    assert.deepEqual(fieldsV1, { 'f:spec': { 'f:replicas': {} } });
    assert.equal(entry?.fieldsV1, fieldsV1);
    assert.deepEqual(JSON.parse(JSON.stringify(entry)), { ...rest, fieldsV1 });
  });

  test('that creates an object without fields has no entry', () => {
    const created = update(undefined, deployment({ spec: {} }));
    assert.equal('managedFields' in created.metadata, false);
  });

  test('takes ownership of the fields that it changes, and removes deleted fields from all managers', () => {
    const applied = apply(
      undefined,
      deployment({ spec: { replicas: 1, paused: true } }, { labels: { a: 'b' } }),
    ).object;
    const after = { ...applied, metadata: { ...applied.metadata, labels: {} }, spec: { replicas: 2, paused: true } };
    const written = update(applied, after);
    assert.deepEqual(fieldsOf(written, 'forge'), { 'f:spec': { 'f:paused': {} } });
    assert.deepEqual(fieldsOf(written, 'editor'), { 'f:spec': { 'f:replicas': {} } });
  });

  test('that changes nothing returns the same object', () => {
    const applied = apply(undefined, deployment({ spec: { replicas: 1 } })).object;
    assert.equal(update(applied, applied), applied);
  });

  test('keeps the entries it had when the writer sends none', () => {
    const applied = apply(undefined, deployment({ spec: { replicas: 1 } })).object;
    const { managedFields, ...metadata } = applied.metadata;
    assert.deepEqual(update(applied, { ...applied, metadata }).metadata.managedFields, managedFields);
  });
});

describe('a writer that sets managedFields itself', () => {
  const live = apply(undefined, deployment({ spec: { replicas: 1 } })).object;
  const sending = (managedFields: unknown): KubeObject =>
    update(live, { ...live, metadata: { ...live.metadata, managedFields: managedFields as never } });

  test('may rename a manager', () => {
    const [entry] = live.metadata.managedFields ?? [];
    assert.deepEqual(sending([{ ...entry, manager: 'zed' }]).metadata.managedFields, [{ ...entry, manager: 'zed' }]);
  });

  test('ends the tracking with an empty entry, until the next apply', () => {
    const untracked = sending([{}]);
    assert.equal('managedFields' in untracked.metadata, false);
    const changed = update(untracked, { ...untracked, spec: { replicas: 2 } } as KubeObject);
    assert.equal('managedFields' in changed.metadata, false);
    const { conflicts } = apply(changed, deployment({ spec: { replicas: 3 } }));
    assert.deepEqual(conflicts, [{ manager: '"before-first-apply" using apps/v1', field: '.spec.replicas' }]);
  });

  test('is ignored when they are invalid', () => {
    const [entry] = live.metadata.managedFields ?? [];
    for (const wrong of [{ operation: 'Guess' }, { fieldsV1: { x: 1 } }, { fieldsV1: undefined }]) {
      assert.deepEqual(sending([{ ...entry, ...wrong }]).metadata.managedFields, live.metadata.managedFields);
    }
  });
});

function label(index: number): string {
  return String(index).padStart(2, '0');
}

test('merges the oldest of more than ten managers', () => {
  const first = trackUpdate({
    before: undefined,
    after: deployment({ spec: { replicas: 1 } }),
    schema: Deployment.schema,
    manager: 'w00',
    time,
  });
  const last = Array.from({ length: 11 }, (_, index) => label(index + 1)).reduce<KubeObject>((before, index) => {
    const labels = { ...before.metadata.labels, [index]: 'x' };
    const after = { ...before, metadata: { ...before.metadata, labels } };
    const now = time.replace('00Z', `${index}Z`);
    return trackUpdate({ before, after, schema: Deployment.schema, manager: `w${index}`, time: now });
  }, first);
  assert.deepEqual(
    last.metadata.managedFields?.map(({ manager }) => manager),
    ['ancient-changes', ...Array.from({ length: 9 }, (_, index) => `w${label(index + 3)}`)],
  );
  assert.deepEqual(fieldsOf(last, 'ancient-changes'), {
    'f:spec': { 'f:replicas': {} },
    'f:metadata': { 'f:labels': { '.': {}, 'f:01': {}, 'f:02': {} } },
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

  test('a single manager always gets exactly the fields that it applies', () => {
    fc.assert(
      fc.property(object, object, (first, second) => {
        assert.deepEqual(bare(run(run(undefined, first, 'm'), second, 'm')), second);
      }),
    );
  });

  test('the object contains it, applying it again changes nothing, and inputs are not modified', () => {
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

  test('a manager that applies nothing leaves the fields of the others', () => {
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
