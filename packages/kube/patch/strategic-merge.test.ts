// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Deployment, Pod } from '../kinds/builtin.ts';
import { strategicMerge } from './strategic-merge.ts';

const pod = {
  metadata: { name: 'web', labels: { app: 'web' }, finalizers: ['a', 'b', 'c'] },
  spec: {
    containers: [
      { name: 'web', image: 'web:1', args: ['x'] },
      { name: 'log', image: 'log:1' },
    ],
    tolerations: [{ key: 'a' }],
  },
};
const patched = (patch: object): typeof pod => strategicMerge(pod, patch, Pod.schema) as typeof pod;
const names = (patch: object): string[] => patched({ spec: patch }).spec.containers.map(({ name }) => name);

describe('strategic merge', () => {
  test('maps merge, null removes, scalars replace', () => {
    const { metadata } = patched({ metadata: { labels: { app: null, tier: 'front' } } });
    assert.deepEqual(metadata.labels, { tier: 'front' });
  });

  test('lists with a merge key merge item by item, other lists are replaced', () => {
    const { spec } = patched({ spec: { containers: [{ name: 'log', image: 'log:2' }], tolerations: [{ key: 'b' }] } });
    assert.deepEqual(spec.containers, [pod.spec.containers[0], { name: 'log', image: 'log:2' }]);
    assert.equal(spec.containers[0], pod.spec.containers[0]);
    assert.deepEqual(spec.tolerations, [{ key: 'b' }]);
    assert.deepEqual(patched({ spec: { containers: [{ name: 'web', args: ['y'] }] } }).spec.containers[0]?.args, ['y']);
  });

  test('a new item comes before those the patch does not name, as on a real server', () => {
    assert.deepEqual(names({ containers: [{ name: 'new', image: 'i' }] }), ['new', 'web', 'log']);
  });

  test('the patch sets the order of the items it names', () => {
    const order = [{ name: 'log' }, { name: 'new' }, { name: 'web' }];
    assert.deepEqual(names({ '$setElementOrder/containers': order, containers: [{ name: 'new' }] }), [
      'log',
      'new',
      'web',
    ]);
  });

  test('$patch deletes and replaces', () => {
    assert.deepEqual(names({ containers: [{ name: 'web', $patch: 'delete' }] }), ['log']);
    assert.deepEqual(names({ containers: [{ name: 'only' }, { $patch: 'replace' }] }), ['only']);
    assert.deepEqual(patched({ metadata: { labels: { $patch: 'replace', x: 'y' } } }).metadata.labels, { x: 'y' });
    assert.equal('labels' in patched({ metadata: { labels: { $patch: 'delete' } } }).metadata, false);
  });

  test('$retainKeys drops what it does not name', () => {
    const deployment = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    assert.deepEqual(strategicMerge(deployment, patch, Deployment.schema), {
      spec: { strategy: { type: 'Recreate' } },
    });
  });

  test('lists of plain values are sets where the schema says so', () => {
    const { metadata } = patched({
      metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['d', 'c'] },
    });
    assert.deepEqual(metadata.finalizers, ['d', 'b', 'c']);
  });

  test('an invalid patch is rejected', () => {
    assert.throws(
      () => patched({ spec: { containers: [{ image: 'x' }] } }),
      /does not contain declared merge key: name/,
    );
    assert.throws(() => patched({ spec: { $patch: 'bend' } }), /Unknown patch directive "bend"/);
    assert.throws(() => strategicMerge(pod, [], Pod.schema), /is an object/);
  });

  test('an object merged into itself is the same object', () => {
    const container = fc.record({ name: fc.constantFrom('a', 'b', 'c'), image: fc.string() });
    const containers = fc.uniqueArray(container, { selector: ({ name }) => name });
    fc.assert(
      fc.property(containers, fc.dictionary(fc.string(), fc.string()), (list, labels) => {
        fc.pre(!Object.keys(labels).some((key) => key.startsWith('$')));
        const object = { metadata: { labels }, spec: { containers: list } };
        assert.equal(strategicMerge(object, structuredClone(object), Pod.schema), object);
      }),
    );
  });
});
