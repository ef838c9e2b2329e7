// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonEqual } from '../objects/json.ts';
import { jsonPatch } from './json-patch.ts';

function refused(patch: unknown, message: RegExp): void {
  assert.throws(() => jsonPatch({ a: [1] }, patch), { name: 'PatchError', message });
}

test('every operation does what RFC 6902 says', () => {
  const cases: [unknown, object[], unknown][] = [
    [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [{ a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    [{ a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    [{ a: { b: 1 } }, [{ op: 'replace', path: '/a/b', value: null }], { a: { b: null } }],
    [{ a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    [{ a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }],
    [{ 'x/y': { '~': 1 } }, [{ op: 'test', path: '/x~1y/~0', value: 1 }], { 'x/y': { '~': 1 } }],
    [{ a: 1 }, [{ op: 'replace', path: '', value: 7 }], 7],
  ];
  for (const [document, patch, expected] of cases) assert.deepEqual(jsonPatch(document, patch), expected);
});

test('a test operation treats a missing field as null, as in Kubernetes', () => {
  assert.deepEqual(jsonPatch({ a: 1 }, [{ op: 'test', path: '/b', value: null }]), { a: 1 });
  assert.deepEqual(jsonPatch({ a: 1 }, [{ op: 'test', path: '/b' }]), { a: 1 });
  assert.deepEqual(jsonPatch({ a: 1 }, [{ op: 'replace', path: '/b', value: 2 }]), { a: 1, b: 2 });
  assert.deepEqual(jsonPatch({ a: 1 }, [{ op: 'replace', path: '/a' }]), { a: null });
  assert.deepEqual(jsonPatch({ a: [1, 2] }, [{ op: 'remove', path: '/a/-1' }]), { a: [1] });
});

test('operations that do not match the document are errors with their path', () => {
  refused([{ op: 'replace', path: '/b/c', value: 1 }], /missing path: \/b\/c/);
  refused([{ op: 'remove', path: '/b/c' }], /missing path: \/b\/c/);
  refused([{ op: 'add', path: '/a/3', value: 1 }], /no list item 3/);
  refused([{ op: 'remove', path: '/a/-2' }], /no list item -2/);
  refused([{ op: 'remove', path: '/a/-' }], /no list item -/);
  refused([{ op: 'test', path: '/a', value: [2] }], /testing value \/a failed/);
  refused([{ op: 'test', path: '/b/c', value: null }], /missing path: \/b\/c/);
  refused([{ op: 'move', from: '/a', path: '/a/0' }], /cannot move into itself/);
  refused([{ op: 'bend', path: '/a' }], /Unexpected kind/);
  refused([{ op: 'add', path: 'a', value: 1 }], /needs a path like/);
  refused({}, /list of operations/);
  refused([7], /is an object, not 7/);
});

test('the original document is never modified, and unchanged parts are shared', () => {
  const document = Object.freeze({ a: Object.freeze([1]), b: Object.freeze({ c: 1 }) });
  const patched = jsonPatch(document, [{ op: 'add', path: '/a/0', value: 0 }]) as typeof document;
  assert.equal(patched.b, document.b);
  assert.deepEqual(document.a, [1]);
});

test('a copy and its original change independently, however often they were changed before', () => {
  const patched = jsonPatch({ a: { b: { c: 1 } } }, [
    { op: 'add', path: '/a/b/d', value: 2 },
    { op: 'copy', from: '/a', path: '/e' },
    { op: 'add', path: '/a/b/f', value: 3 },
    { op: 'remove', path: '/e/b/c' },
    { op: 'copy', from: '/e/b', path: '/a/g' },
    { op: 'replace', path: '/e/b/d', value: 4 },
    { op: 'copy', from: '', path: '/h' },
    { op: 'add', path: '/h/a/b/c', value: 5 },
  ]);
  const a = { b: { c: 1, d: 2, f: 3 }, g: { d: 2 } };
  const e = { b: { d: 4 } };
  assert.deepEqual(patched, { a, e, h: { a: { ...a, b: { ...a.b, c: 5 } }, e } });
});

/** A text of this size, and two copies of it. */
const copiesOf = (size: number) => [
  { op: 'add', path: '/a', value: 'x'.repeat(size) },
  { op: 'copy', from: '/a', path: '/b' },
  { op: 'copy', from: '/a', path: '/c' },
];

test('copies have at most 3 MiB in all', () => {
  // A text has two quotes.
  const largest = 1.5 * 1024 * 1024 - 2;
  assert.equal(Object.keys(jsonPatch({}, copiesOf(largest)) as object).length, 3);
  refused(copiesOf(largest + 1), /size increase of copy is 3145730, exceeding the limit 3145728/);
});

test('adding a field and removing it again gives the original document', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
      fc.pre(!Object.hasOwn(document, key) && key !== '__proto__');
      const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const patch = [
        { op: 'add', path, value },
        { op: 'test', path, value },
        { op: 'remove', path },
      ];
      assert.ok(jsonEqual(jsonPatch(document, patch), document));
    }),
  );
});
