// SPDX-License-Identifier: Apache-2.0
import type { ConditionRow, Contract, ContractObserver, EventRow, Recheck } from './contract.ts';
import { engineConditions } from './engine-rows.ts';

/** Compares what an operator said during a test run with its contract. */
export interface ContractCoverage {
  observer: ContractObserver;
  /** From now on, what is said is said in the test of this name. */
  enterTest: (name: string) => void;
  /** What was said and is not in the contract, and what is in the contract and was never said; empty when they agree. */
  differences: () => string[];
  /** The tests in which a row of the contract was said, in the order in which they ran. */
  testsOf: (row: ConditionRow | EventRow) => readonly string[];
}

/** Nothing said so far. */
export function contractCoverage(contract: Contract): ContractCoverage {
  const conditions = [...engineConditions(contract.ready), ...contract.conditions];
  const expected = [...conditions.filter(({ unobserved }) => unobserved === undefined), ...contract.events];
  const tests = new Map<ConditionRow | EventRow, Set<string>>();
  const unknown = new Set<string>();
  let test = '';

  function note<R extends ConditionRow | EventRow>(rows: readonly R[], said: R, matches: (row: R) => boolean): void {
    const matching = rows.filter((row) => matches(row) && patternOf(row).test(said.message));
    if (matching.length === 0) unknown.add(textOf(said));
    for (const row of matching) tests.set(row, (tests.get(row) ?? new Set()).add(test));
  }

  return {
    observer: {
      condition(said) {
        note(
          conditions,
          said,
          ({ type, status, reason, recheck }) =>
            (type === '*' || type === said.type) &&
            status === said.status &&
            reason === said.reason &&
            isRecheck(recheck, said.recheck),
        );
      },
      event(said) {
        note(contract.events, said, ({ type, reason }) => type === said.type && reason === said.reason);
      },
    },

    enterTest: (name) => void (test = name),

    differences: () => [
      ...[...unknown].map((text) => `not in the contract: ${text}`),
      ...expected.filter((row) => !tests.has(row)).map((row) => `never observed: ${textOf(row)}`),
    ],

    testsOf: (row) => [...(tests.get(row) ?? [])],
  };
}

/** The messages that a row allows. */
function patternOf(row: ConditionRow | EventRow): RegExp {
  const parts = row.message.split(/\{\w+\}/).map((part) => RegExp.escape(part));
  const suffix = 'suffix' in row ? '(: .*)?' : '';
  return new RegExp(`^${parts.join('.*')}${suffix}$`, 's');
}

/** Whether a row allows this recheck; one that is computed is any time. */
function isRecheck(allowed: Recheck | undefined, said: Recheck | undefined): boolean {
  return allowed === 'computed' ? typeof said === 'number' : allowed === said;
}

function textOf(row: ConditionRow | EventRow): string {
  const { type, reason, message } = row;
  const head = 'status' in row ? `condition ${type}=${row.status}` : `Event ${type}`;
  const recheck = 'recheck' in row ? row.recheck : undefined;
  const tail =
    typeof recheck === 'number' ? `, recheck after ${recheck / 1000} s` : recheck === undefined ? '' : `, ${recheck}`;
  return `${head} ${reason} ${JSON.stringify(message)}${tail}`;
}
