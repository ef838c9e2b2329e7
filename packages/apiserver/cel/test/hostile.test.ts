// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ruleErrors } from '../rules/compile-rules.ts';
import { validateRules } from '../rules/validate-rules.ts';
import { compiling, object, running, schemaOf } from './hostile-rules.ts';

// How long each takes is measured by `npm run bench hostile`.
describe('a hostile rule', () => {
  for (const [name, rule] of Object.entries(running)) {
    test(`is aborted at run time: ${name}`, () => {
      const result = validateRules({ schema: schemaOf(rule), object });
      assert.equal(result.length, 1);
      assert.match(
        result[0]?.message ?? '',
        /actual cost limit exceeded|running out of cost budget|^Invalid value: m$/,
      );
    });
  }

  for (const [name, rule] of Object.entries(compiling)) {
    test(`is rejected at compile time: ${name}`, () => {
      const result = ruleErrors(schemaOf(rule), 'schema');
      assert.match(result[0]?.message ?? '', /compilation failed: ERROR/);
    });
  }

  test('cannot exceed the budget of the whole object, however many rules there are', () => {
    const rule = { rule: 'self.numbers.all(a, self.numbers.size() > a)', message: 'm' };
    const schema = { ...schemaOf('true'), 'x-kubernetes-validations': Array.from({ length: 200 }, () => rule) };
    const errors = validateRules({ schema, object });
    assert.deepEqual(
      errors.map(({ message }) => message.replace(/^.*?: "object": /, '')),
      ['validation failed due to running out of cost budget, no further validation rules will be run'],
    );
  });
});
