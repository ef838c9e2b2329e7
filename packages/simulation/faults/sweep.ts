// SPDX-License-Identifier: Apache-2.0
import { drawPlan, type ProcessOperations } from './draw-plan.ts';
import { everyPlan } from './every-plan.ts';
import type { FaultInjector } from './fault-injector.ts';
import { targetOf, type FaultKind, type FaultPlan, type HandAction } from './fault-plan.ts';

const hour = 3_600_000;

/** One fault, at each operation of the operator; faults in a group meet the same operations, and do much the same. */
const operatorFaults: readonly (readonly FaultKind[])[] = [
  [{ fault: 'crash', when: 'before' }],
  [{ fault: 'crash', when: 'after' }],
  [{ fault: 'cut', when: 'after' }],
  [
    { fault: 'refuse', code: 409 },
    { fault: 'refuse', code: 429 },
    { fault: 'refuse', code: 500 },
  ],
  [{ fault: 'break' }, { fault: 'expire' }, { fault: 'lag' }, { fault: 'hold' }],
  [{ fault: 'stale', behind: 10 }],
  [
    { fault: 'jump', by: hour },
    { fault: 'jump', by: -hour },
  ],
  [{ fault: 'outage', calls: 3 }],
];

/** The same for its dependencies: slow, failing, and gone for ten minutes. */
const dependencyFaults: typeof operatorFaults = [
  [
    { fault: 'freeze', for: 30_000 },
    { fault: 'crash', when: 'after', away: 600_000 },
  ],
  [{ fault: 'outage', calls: 3 }],
];

/** The leader stands still for longer than its Lease lasts. */
const leaderFaults: typeof operatorFaults = [[{ fault: 'freeze', for: 60_000 }]];

/** What single faults are derived from. */
interface SweptRun {
  readonly operations: ProcessOperations;
  readonly startOperations: ProcessOperations;
  readonly writesAfterCalls: FaultInjector['writesAfterCalls'];
}

/** Which single faults are injected where. */
export interface SweepOptions {
  /** Whether a process is one of the operator, not a dependency. */
  isOperator: (process: string) => boolean;
  /** Whether also before the first user step: not where another scenario begins in the same way. */
  withStart: boolean;
  /** Whether each operation meets all faults of a group; otherwise they take turns. */
  thorough: boolean;
}

/** Single faults at each operation of the baseline run. */
export function systematicPlans(
  { operations, startOperations, writesAfterCalls }: SweptRun,
  { isOperator, withStart, thorough }: SweepOptions,
): FaultPlan[] {
  const isElected = [...operations.keys()].filter(isOperator).length > 1;
  const after = withStart ? undefined : startOperations;
  const plansOf = (groups: typeof operatorFaults, isMeant: (process: string) => boolean) =>
    groups.flatMap((group) => {
      const all = group.map((fault) => everyPlan(fault, operations, isMeant, after));
      return thorough ? all.flat() : inTurns(all).filter((plan) => isFirstOfCalls(plan, after));
    });
  /**
   * A crash before a write leaves what a crash after the write before leaves: in between the process has changed nothing, unless
   * it has called an external system.
   */
  const isCovered = ({ faults: [fault] }: FaultPlan): boolean =>
    fault?.fault === 'crash' &&
    fault.when === 'before' &&
    fault.at > 1 &&
    writesAfterCalls.get(fault.process)?.has(fault.at) !== true;
  if (isElected) return plansOf(leaderFaults, isOperator);
  const plans = [
    ...plansOf(operatorFaults, isOperator),
    ...plansOf(dependencyFaults, (process) => !isOperator(process)),
  ];
  return plans.filter((plan) => !isCovered(plan));
}

/** What a person does to a child; those in a group do much the same. */
const handActions: readonly (readonly HandAction[])[] = [
  ['Background', 'Foreground', 'Orphan'],
  ['unlabel', 'empty'],
];

/** An object that people can lay hands on. */
export interface Child {
  readonly key: string;
  /** Whether it is there before the first user step: otherwise a hand at rest finds nothing. */
  readonly isAtStart: boolean;
}

/**
 * A hand on each child after writes of the operator, at another one for each child; and at rest, unless another scenario begins
 * in the same way: what has healed goes on as there.
 */
export function handPlans(
  { children, operations }: { children: readonly Child[]; operations: ProcessOperations },
  { isOperator, withStart, thorough }: SweepOptions,
): FaultPlan[] {
  // A replica that does not lead writes nothing.
  const operators = [...operations].filter(([process, { write }]) => isOperator(process) && write > 0);
  return operators.flatMap(([process, { write: writes }]) =>
    children.flatMap(({ key: on, isAtStart }, child) =>
      handActions.flatMap((group, turn) =>
        group
          .filter((_, index) => thorough || index === child % group.length)
          .flatMap((does, index) =>
            [...(isAtStart && withStart ? [0] : []), 1 + ((child * 7 + turn * 3 + index) % writes)].map((at) => ({
              seed: child + 1,
              faults: [{ fault: 'hand' as const, on, does, process, at }],
            })),
          ),
      ),
    ),
  );
}

/** Whether outages that begin here and at every third call from there fail each call: those in between need none. */
function isFirstOfCalls({ faults: [fault] }: FaultPlan, after: ProcessOperations | undefined): boolean {
  if (fault?.fault !== 'outage') return true;
  const skipped = after?.get(fault.process)?.[targetOf.outage] ?? 0;
  return (fault.at - 1 - skipped) % fault.calls === 0;
}

/** Of lists of equal length the first item of the first, the second of the second, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  return (lists[0] ?? []).map((item, at) => lists[at % lists.length]?.[at] ?? item);
}

/** The plans of this many seeds. */
export function drawnPlans(operations: ProcessOperations, first: number, count: number): FaultPlan[] {
  return Array.from({ length: count }, (_, index) => drawPlan(first + index, operations));
}
