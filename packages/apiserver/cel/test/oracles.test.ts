// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { celEnv, isCelError, parse as parseCel, plan } from '@bufbuild/cel';
import { evaluate as evaluateCel } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { compileExpression } from '../check/expression.ts';
import { compileProgram } from '../evaluate/program.ts';
import { Meter } from '../values/meter.ts';
import { EvalError } from '../values/value.ts';

/** Expressions on integers, lists and strings, which all three implementations support. */
const expressions = fc.letrec<{ bool: string; int: string; text: string; list: string }>((tie) => ({
  int: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ min: -9, max: 9 }).map((value) => `(${value})`),
    fc.tuple(tie('int'), fc.constantFrom('+', '-', '*', '/', '%'), tie('int')).map((parts) => `(${parts.join(' ')})`),
    tie('list').map((list) => `size(${list})`),
  ),
  text: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 3 }).map((value) => `'${value}'`),
    fc.tuple(tie('text'), tie('text')).map(([left, right]) => `(${left} + ${right})`),
  ),
  list: fc.oneof(
    { maxDepth: 3 },
    fc.array(tie('int'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    tie('list').map((list) => `${list}.map(x, x + 1)`),
    tie('list').map((list) => `${list}.filter(x, x > 0)`),
  ),
  bool: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('true', 'false'),
    fc.tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool')).map((parts) => `(${parts.join(' ')})`),
    tie('bool').map((inside) => `!${inside}`),
    fc.tuple(tie('int'), fc.constantFrom('<', '<=', '==', '!='), tie('int')).map((parts) => `(${parts.join(' ')})`),
    fc.tuple(tie('text'), fc.constantFrom('<', '==', '!='), tie('text')).map((parts) => `(${parts.join(' ')})`),
    fc.tuple(tie('int'), tie('list')).map(([item, list]) => `(${item} in ${list})`),
    fc
      .tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'))
      .map(([list, name]) => `${list}.${name}(x, 4 / x > 1)`),
    fc.tuple(tie('text'), tie('text')).map(([text, part]) => `${text}.startsWith(${part})`),
    fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
  ),
})).bool;

type Answer = boolean | 'error';

function ours(source: string): Answer {
  const expression = compileExpression(source, new Map());
  if (typeof expression === 'string') throw new Error(expression);
  const program = compileProgram(expression.root, expression.checked);
  assert.ok(!(program instanceof EvalError));
  const result = program(undefined, new Meter(1_000_000));
  return result instanceof EvalError ? 'error' : (result as boolean);
}

function theirs(source: string): Answer {
  const result = plan(celEnv(), parseCel(source))({});
  return isCelError(result) ? 'error' : (result as boolean);
}

function others(source: string): Answer {
  try {
    return evaluateCel(source) as boolean;
  } catch {
    return 'error';
  }
}

describe('an expression has the same result as in', () => {
  test('@bufbuild/cel, errors included', () => {
    fc.assert(
      fc.property(expressions, (source) => {
        assert.equal(ours(source), theirs(source), source);
      }),
      { numRuns: 300 },
    );
  });

  test('cel-js, where it has a result', () => {
    fc.assert(
      fc.property(expressions, (source) => {
        const other = others(source);
        if (other !== 'error' && ours(source) !== 'error') assert.equal(ours(source), other, source);
      }),
      { numRuns: 300 },
    );
  });
});
