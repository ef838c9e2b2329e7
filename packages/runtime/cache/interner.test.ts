// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { interner } from './interner.ts';

interface Pod {
  name: string;
  labels: Record<string, string>;
  containers: { image: string; command: string[] }[];
}

const pod = (name: string, image = 'registry.example/keystone:2025.2'): Pod => ({
  name,
  labels: { 'managed-by': 'keystone-operator' },
  containers: [{ image, command: ['keystone-manage', 'bootstrap'] }],
});

/** An object with a field of its own. */
const object = (index: number) => ({ [`field-${index}`]: { value: 'registry.example' } });

describe('an interner', () => {
  test('lets equal parts at the same path be one object', () => {
    const { internParts } = interner();
    const [first, second] = [pod('first'), pod('second')];
    internParts(first);
    internParts(second);
    assert.deepEqual(second, pod('second'));
    assert.equal(second.labels, first.labels);
    assert.equal(second.containers, first.containers);
  });

  test('shares what is equal within parts that differ', () => {
    const { internParts } = interner();
    const [first, second] = [pod('first'), pod('second', 'registry.example/keystone:2026.1')];
    internParts(first);
    internParts(second);
    assert.deepEqual(second, pod('second', 'registry.example/keystone:2026.1'));
    assert.notEqual(second.containers, first.containers);
    assert.equal(second.containers[0]?.command, first.containers[0]?.command);
  });

  test('never changes the value of an object', () => {
    const { internParts } = interner(40);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const parsed = JSON.parse(text) as object;
        internParts(parsed);
        // The order of the fields is kept, too.
        assert.equal(JSON.stringify(parsed), text);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps a list and an object with the same entries apart', () => {
    const { internParts } = interner();
    const [list, map] = [{ entries: ['a', 'b'] }, { entries: { 0: 'a', 1: 'b' } }];
    internParts(list);
    internParts(map);
    assert.ok(!Array.isArray(map.entries));
  });

  test('leaves alone what is frozen', () => {
    const { internParts } = interner();
    const [first, second] = [pod('first'), pod('second')];
    const { labels } = second;
    Object.freeze(labels);
    internParts(first);
    internParts(second);
    assert.equal(second.labels, labels);
  });

  test('goes on to share what is common when many other values come in between', () => {
    const { internParts } = interner();
    const objects = Array.from({ length: 200 }, (_, index) => ({
      image: index % 2 === 0 ? { name: 'keystone' } : { name: `${index}` },
    }));
    for (const each of objects) internParts(each);
    const common = objects.filter((_, index) => index % 2 === 0).map(({ image }) => image);
    assert.equal(new Set(common).size, 1);
  });

  test('leaves a path alone whose values are never the same, and goes on to share what stands beside it', () => {
    const { internParts } = interner();
    const objects = Array.from({ length: 400 }, (_, index) => ({
      metadata: { uid: `0000-0000-${index}`, labels: { app: 'keystone-operator' } },
    }));
    for (const each of objects) internParts(each);
    assert.equal(new Set(objects.map(({ metadata }) => metadata.labels)).size, 1);
    // The same object again: its uid is no longer compared, and neither is whatever contains it.
    const again = structuredClone(objects[399]);
    internParts(again ?? {});
    assert.notEqual(again?.metadata, objects[399]?.metadata);
    assert.equal(again?.metadata.labels, objects[399]?.metadata.labels);
  });

  test('remembers a bounded number of paths', () => {
    const { internParts } = interner(10);
    for (let index = 0; index < 20; index += 1) internParts(object(index));
    const [early, late] = [object(1), object(19)];
    const [earlyAgain, lateAgain] = [object(1), object(19)];
    for (const each of [early, earlyAgain, late, lateAgain]) internParts(each);
    assert.equal(earlyAgain['field-1'], early['field-1']);
    assert.notEqual(lateAgain['field-19'], late['field-19']);
  });
});
