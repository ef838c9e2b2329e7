// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import fc from 'fast-check';
import { objectIndex } from './object-index.ts';

interface Tagged extends KubeObject {
  tags: readonly string[];
}

const tagged = (tags: readonly string[]): Tagged => ({
  apiVersion: 'v1',
  kind: 'Tagged',
  metadata: { name: 'a' },
  tags,
});

test('an index finds exactly the objects that have a value, however many share it', () => {
  const tag = fc.constantFrom('red', 'green', 'blue');
  const moves = fc.array(fc.tuple(fc.nat(4), fc.option(fc.array(tag, { maxLength: 3 }))));
  fc.assert(
    fc.property(moves, (all) => {
      const index = objectIndex<Tagged>({ valuesOf: ({ tags }) => tags });
      const current = new Map<number, Tagged>();
      for (const [place, tags] of all) {
        const after = tags === null ? undefined : tagged(tags);
        index.move(current.get(place), after);
        if (after === undefined) current.delete(place);
        else current.set(place, after);
      }
      for (const value of ['red', 'green', 'blue']) {
        const expected = new Set([...current.values()].filter(({ tags }) => tags.includes(value)));
        assert.deepEqual(new Set(index.objects(value)), expected);
      }
    }),
  );
});
