// SPDX-License-Identifier: Apache-2.0
import { drawPlan, type ProcessOperations } from '@forge/simulation/faults/draw-plan.ts';
import { everyPlan, type Turns } from '@forge/simulation/faults/every-plan.ts';
import type { FaultPlan } from '@forge/simulation/faults/fault-plan.ts';
import type { Run } from '@forge/simulation/run/run-scenario.ts';

/** Whether a process is one of the operator, not a dependency. */
export const isOperator = (process: string): boolean => process.startsWith('keystone');

const hour = 3_600_000;

/** One fault, at each operation of the operator: a crash in each way, and of what is much alike each in its turn. */
const operatorFaults: readonly Turns[] = [
  [{ fault: 'crash', when: 'before' }],
  [{ fault: 'crash', when: 'after' }],
  [{ fault: 'cut', when: 'after' }],
  [
    { fault: 'refuse', code: 409 },
    { fault: 'refuse', code: 500 },
    { fault: 'refuse', code: 429 },
  ],
  [{ fault: 'break' }, { fault: 'expire' }],
  [{ fault: 'stale', behind: 10 }],
  [
    { fault: 'jump', by: hour },
    { fault: 'jump', by: -hour },
  ],
  [{ fault: 'outage', calls: 3 }],
];

/** The same for its dependencies: slow, failing, and gone for ten minutes. */
const dependencyFaults: readonly Turns[] = [
  [{ fault: 'freeze', for: 30_000 }],
  [{ fault: 'outage', calls: 3 }],
  [{ fault: 'crash', when: 'after', away: 600_000 }],
];

/** The leader stands still for longer than its Lease lasts. */
const leaderFaults: readonly Turns[] = [[{ fault: 'freeze', for: 60_000 }]];

/** Each single fault at each operation of the baseline run; its start is left out where another scenario begins in the same way. */
export function systematicPlans(
  { operations, startOperations }: Pick<Run, 'operations' | 'startOperations'>,
  withStart: boolean,
): FaultPlan[] {
  const isElected = [...operations.keys()].filter(isOperator).length > 1;
  const after = withStart ? undefined : startOperations;
  return [
    ...(isElected ? leaderFaults : operatorFaults).flatMap((turns) => everyPlan(turns, operations, isOperator, after)),
    ...(isElected ? [] : dependencyFaults).flatMap((turns) =>
      everyPlan(turns, operations, (process) => !isOperator(process), after),
    ),
  ];
}

/** The plans of this many seeds. */
export function drawnPlans(operations: ProcessOperations, first: number, count: number): FaultPlan[] {
  return Array.from({ length: count }, (_, index) => drawPlan(first + index, operations));
}
