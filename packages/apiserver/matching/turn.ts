// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AdmissionEvaluation } from '../cel/rules/admission-evaluation.ts';
import type { AdmissionExpression } from '../cel/rules/admission-expression.ts';
import type { LazyExpressions } from '../cel/rules/lazy-expressions.ts';
import type { Result } from '../cel/values/value.ts';

/** Effort after which others are served, about 20 ms. */
const longestTurn = 1_000_000;
/** The effort of compiling a character of an expression. */
const effortOfCharacter = 50;

/** The expressions of a request: measures their effort, and yields when others should be served. */
export class Turn {
  #spent = 0;

  /** The result of an expression; throws OutOfBudget. */
  *evaluate(evaluation: AdmissionEvaluation, expression: AdmissionExpression): Generator<void, Result> {
    yield* this.#next();
    try {
      return evaluation.evaluate(expression);
    } finally {
      this.#spent += evaluation.effort;
    }
  }

  /** Expressions, compiled. */
  *compile<T>(expressions: LazyExpressions<T>): Generator<void, T> {
    yield* this.#next();
    this.#spent += expressions.characters * effortOfCharacter;
    return expressions.value;
  }

  *#next(): Generator<void> {
    if (this.#spent <= longestTurn) return;
    this.#spent = 0;
    yield;
  }
}

/** Runs steps to their end, and serves others wherever they yield; synchronous when they never do. */
export function inTurns<T>(steps: Generator<void, T>): T | Promise<T> {
  const first = steps.next();
  return first.done === true ? first.value : finish(steps);
}

async function finish<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
