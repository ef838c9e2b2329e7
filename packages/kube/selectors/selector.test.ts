// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLabelSelector } from './parse-label-selector.ts';
import {
  formatLabelSelector,
  labelMatcher,
  matchesFields,
  matchesLabels,
  matchesLabelSelector,
  parseFieldSelector,
} from './selector.ts';

const selects = (text: string, labels: Record<string, string>): boolean =>
  matchesLabels(parseLabelSelector(text), labels);

test('label selectors select the labels they describe', () => {
  const labels = { app: 'web', tier: 'front', 'app.kubernetes.io/name': 'keystone', weight: '7', empty: '' };
  for (const text of [
    '',
    'app=web',
    'app == web',
    'app!=db',
    'missing!=db',
    'app in (web, db),tier notin (back)',
    'missing notin (a)',
    'app',
    '!missing',
    'app.kubernetes.io/name=keystone',
    'weight>6,weight<8',
    'empty=',
    'empty in (,a)',
  ]) {
    assert.equal(selects(text, labels), true, text);
  }
  for (const text of ['app=db', 'app!=web', 'app in (db)', 'tier notin (front)', '!app', 'missing', 'weight>7']) {
    assert.equal(selects(text, labels), false, text);
  }
});

test('an invalid label selector is an error with its position', () => {
  for (const text of ['app in web', '!', 'a b', 'app in (a', 'a=b/c', '-a', 'a>b']) {
    assert.throws(
      () => parseLabelSelector(text),
      { name: 'SyntaxError', message: /unable to parse requirement/ },
      text,
    );
  }
  for (const text of ['=x', 'a,', '()', 'a=b=c']) {
    assert.throws(() => parseLabelSelector(text), { name: 'SyntaxError', message: /^found '.?', expected: / }, text);
  }
});

test('the object form and its text select the same labels', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const selector = fc.record(
    {
      matchLabels: fc.dictionary(word, word, { maxKeys: 2 }),
      matchExpressions: fc.array(
        fc.oneof(
          fc.record({ key: word, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(word, { minLength: 1 }) }),
          fc.record({ key: word, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
        ),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(selector, fc.dictionary(word, word), (object, labels) => {
      assert.equal(selects(formatLabelSelector(object), labels), matchesLabelSelector(object, labels));
      assert.equal(labelMatcher(object)(labels), matchesLabelSelector(object, labels));
    }),
  );
});

test('no selector selects nothing, an empty selector everything', () => {
  assert.equal(matchesLabelSelector(undefined, {}), false);
  assert.equal(labelMatcher(undefined)({}), false);
  assert.equal(matchesLabelSelector({}, { any: 'thing' }), true);
});

test('field selectors compare the text of fields', () => {
  const pod = { metadata: { name: 'a' }, spec: { nodeName: 'n', hostNetwork: true }, status: null };
  const matches = (text: string): boolean => matchesFields(parseFieldSelector(text), pod);
  for (const text of [
    '',
    'metadata.name=a',
    'metadata.name==a,spec.nodeName!=m',
    'spec.hostNetwork=true',
    'status.phase=',
  ]) {
    assert.equal(matches(text), true, text);
  }
  assert.equal(matches('metadata.name!=a'), false);
  assert.equal(matches('spec.nodeName='), false);
  assert.deepEqual(parseFieldSelector(String.raw`a=b\,c\=d`), [{ path: 'a', operator: '=', value: 'b,c=d' }]);
  assert.throws(() => parseFieldSelector('nonsense'), /invalid selector: 'nonsense'; can't understand 'nonsense'/);
});
