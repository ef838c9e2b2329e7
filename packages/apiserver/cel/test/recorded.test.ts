// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { ruleErrors } from '../rules/compile-rules.ts';
import { validateRules } from '../rules/validate-rules.ts';
import { cases, type Case } from './cases.ts';
import recorded from './recorded.json' with { type: 'json' };

/** The errors of the definition with its rules, or else of the object. */
interface Answer {
  readonly definition?: readonly string[];
  readonly object?: readonly string[];
}

const answers: readonly Answer[] = recorded.answers;

function answerTo({ schema, object, old }: Case): Answer {
  const definition = texts(ruleErrors(schema, 'schema'));
  if (definition.length > 0) return { definition };
  return { object: texts(validateRules({ schema, object, ...(old !== undefined && { old }) })) };
}

function texts(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`).toSorted();
}

function nameOf({ schema: { properties = {}, ...root } }: Case): string {
  const [rule] = [root, ...Object.values(properties)].flatMap((schema) => schema['x-kubernetes-validations'] ?? []);
  return JSON.stringify(rule ?? properties).slice(0, 120);
}

describe(`rules are evaluated as Kubernetes ${recorded.kubernetes} does`, () => {
  test('every case has a recorded result', () => assert.equal(answers.length, cases.length));
  for (const [index, each] of cases.entries()) {
    test(`${index}: ${nameOf(each)}`, () => assert.deepEqual(answerTo(each), answers[index]));
  }
});
