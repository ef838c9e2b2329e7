// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlText } from './yaml-text.ts';

describe('YAML', () => {
  test('of any JSON value parses to that value in YAML 1.1 and 1.2', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('yes', 'null', '1e3', '0x1', '- a', 'a: b', '~'),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        text.map((each) => each.toWellFormed()),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (each === 0 ? 0 : each)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(
          text.map((each) => each.toWellFormed()),
          tie('value'),
          { noNullPrototype: true },
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (each) => {
        assert.deepEqual(parse(yamlText(each), { version: '1.1' }), each);
        assert.deepEqual(parse(yamlText(each), { version: '1.2' }), each);
      }),
      { numRuns: 50 },
    );
  });

  test('that is nested deeply grows with the value, not with its depth', () => {
    let deep: unknown = Array.from({ length: 1000 }, (_, index) => ({ a: index }));
    for (let level = 0; level < 400; level += 1) deep = level % 2 === 0 ? { b: deep } : [deep];
    const text = yamlText(deep);
    assert.ok(text.length < 2 * JSON.stringify(deep).length, `${text.length} characters`);
    assert.deepEqual(parse(text), deep);
  });

  test('has sorted keys, and lists at the indentation of their keys', () => {
    const pod = {
      metadata: { name: 'a', labels: {} },
      kind: 'Pod',
      spec: { containers: [{ name: 'x', args: ['-v', 'on'] }] },
    };
    assert.equal(
      yamlText(pod),
      'kind: Pod\nmetadata:\n  labels: {}\n  name: a\nspec:\n  containers:\n  - args:\n    - "-v"\n    - "on"\n    name: x\n',
    );
  });
});
