// SPDX-License-Identifier: Apache-2.0
import type { ConditionRow, Contract, ContractObserver, EventRow, Recheck } from './contract.ts';
import { engineConditions } from './engine-rows.ts';

/** Compares the conditions and Events observed in a test run with the contract. */
export interface ContractCoverage {
  observer: ContractObserver;
  /** Attributes what is observed from now on to the test of this name. */
  enterTest: (name: string) => void;
  /** What was observed and is not in the contract, and what is in the contract and was never observed. */
  differences: () => string[];
  /** The tests in which a row of the contract was observed, in the order in which they ran. */
  testsOf: (row: ConditionRow | EventRow) => readonly string[];
}

/** Coverage of a contract, nothing observed yet. */
export function contractCoverage(contract: Contract): ContractCoverage {
  const conditions = [...engineConditions(contract.ready), ...contract.conditions];
  const expected = [...conditions.filter(({ unobserved }) => unobserved === undefined), ...contract.events];
  const tests = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  let test = '';

  function note<R extends ConditionRow | EventRow>(
    rows: readonly R[],
    observed: R,
    matches: (row: R) => boolean,
  ): void {
    const matching = rows.filter((row) => matches(row) && patternOf(row).test(observed.message));
    if (matching.length === 0) unknown.add(textOf(observed));
    for (const text of matching.map(textOf)) tests.set(text, (tests.get(text) ?? new Set()).add(test));
  }

  return {
    observer: {
      condition(observed) {
        note(
          conditions,
          observed,
          ({ type, status, reason, recheck }) =>
            (type === '*' || type === observed.type) &&
            status === observed.status &&
            reason === observed.reason &&
            isRecheck(recheck, observed.recheck),
        );
      },
      event(observed) {
        note(contract.events, observed, ({ type, reason }) => type === observed.type && reason === observed.reason);
      },
    },

    enterTest: (name) => void (test = name),

    differences: () => [
      ...[...unknown].map((text) => `not in the contract: ${text}`),
      ...expected
        .map(textOf)
        .filter((text) => !tests.has(text))
        .map((text) => `never observed: ${text}`),
    ],

    testsOf: (row) => [...(tests.get(textOf(row)) ?? [])],
  };
}

/** The messages that a row allows. */
function patternOf(row: ConditionRow | EventRow): RegExp {
  const parts = row.message.split(/\{\w+\}/).map((part) => RegExp.escape(part));
  const suffix = 'suffix' in row ? '(: .*)?' : '';
  return new RegExp(`^${parts.join('.*')}${suffix}$`, 's');
}

/** Whether a row allows this recheck; a computed one may be any duration. */
function isRecheck(allowed: Recheck | undefined, observed: Recheck | undefined): boolean {
  return allowed === 'computed' ? typeof observed === 'number' : allowed === observed;
}

function textOf(row: ConditionRow | EventRow): string {
  const { type, reason, message } = row;
  const head = 'status' in row ? `condition ${type}=${row.status}` : `Event ${type}`;
  const recheck = 'recheck' in row ? row.recheck : undefined;
  const tail =
    typeof recheck === 'number' ? `, recheck after ${recheck / 1000} s` : recheck === undefined ? '' : `, ${recheck}`;
  return `${head} ${reason} ${JSON.stringify(message)}${tail}`;
}
