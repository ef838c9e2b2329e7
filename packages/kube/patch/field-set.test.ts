// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { difference, type FieldSet, intersection, isEmpty, pathsOf, sameFields, union, unionOf } from './field-set.ts';

/** The set of these paths, each a list of edges. */
function setOf(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => {
    const single = path.reduceRight<FieldSet>((inner, edge) => ({ [edge]: inner }), {});
    return union(set, single);
  }, {});
}

const edge = fc.constantFrom('f:a', 'f:b', 'v:"x"', 'k:{"name":"n"}');
const fieldSet = fc.array(fc.array(edge, { minLength: 1, maxLength: 3 }), { maxLength: 6 }).map(setOf);
const members = (set: FieldSet): Set<string> => new Set(pathsOf(set));

test('union, difference and intersection are those of sets', () => {
  fc.assert(
    fc.property(fieldSet, fieldSet, (a, b) => {
      assert.deepEqual(members(union(a, b)), members(a).union(members(b)));
      assert.deepEqual(members(intersection(a, b)), members(a).intersection(members(b)));
      assert.deepEqual(members(difference(a, b)), members(a).difference(members(b)));
      assert.equal(isEmpty(a), members(a).size === 0);
      assert.equal(sameFields(union(a, b), union(b, a)), true);
      assert.equal(sameFields(a, b), members(a).symmetricDifference(members(b)).size === 0);
    }),
  );
});

test('the union of many sets is that of pairs', () => {
  fc.assert(
    fc.property(fc.array(fieldSet, { maxLength: 5 }), (sets) => {
      assert.deepEqual(
        unionOf(sets),
        sets.reduce((all, set) => union(all, set), {}),
      );
    }),
  );
});

test('subtracting fields that are not in the set returns the same set', () => {
  const set = setOf([['f:a', 'f:b'], ['f:a']]);
  assert.equal(difference(set, setOf([['f:b'], ['f:a', 'f:c']])), set);
});

test('paths are formatted as on the server', () => {
  const set = setOf([
    ['f:spec', 'f:containers', 'k:{"containerPort":80,"name":"web"}', 'f:image'],
    ['f:finalizers', 'v:"x"'],
  ]);
  assert.deepEqual(pathsOf(set), ['.finalizers[="x"]', '.spec.containers[containerPort=80,name="web"].image']);
});
