// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePolicy, renderPolicy } from './policy.ts';

describe('policy.yaml', () => {
  test('is rendered in the order of names, whatever the order of the rules', () => {
    const rules = { 'identity:list_users': 'role:admin', 'identity:get_user': '@', a: '!' };
    assert.equal(renderPolicy(rules), 'a: "!"\nidentity:get_user: "@"\nidentity:list_users: role:admin\n');
    assert.equal(renderPolicy(Object.fromEntries(Object.entries(rules).toReversed())), renderPolicy(rules));
  });

  test('is read as it was rendered, and quotes what YAML 1.1 would not read as text', () => {
    const rules = { x: 'no', y: '', z: '1:30', on: "it's: #1\nand more", 'a b': 'role:admin or (not @)' };
    assert.deepEqual(parsePolicy(renderPolicy(rules)), rules);
    const text = renderPolicy(rules);
    for (const line of ['x: "no"', 'z: "1:30"', '"on":']) assert.ok(text.includes(line), `${line} in\n${text}`);
  });

  test('holds no rules when it is empty', () => {
    for (const text of ['', '# nothing\n', '{}', 'null']) assert.equal(parsePolicy(text), undefined);
  });

  test('is refused when it is no map of texts', () => {
    for (const [text, error] of [
      ['- a', /must be a map of rules/],
      ['a: true', /rule "a" must be a text: quote it/],
      ['a: {b: c}', /rule "a" must be a text/],
      ['1: a', /the name 1 of a rule must be a text/],
      ['a: b\na: c', /unique/],
      ['a: [', /flow/i],
    ] as const) {
      assert.throws(() => parsePolicy(text), error, text);
    }
  });
});
