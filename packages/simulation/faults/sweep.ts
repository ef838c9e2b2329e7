// SPDX-License-Identifier: Apache-2.0
import { drawPlan, type ProcessOperations } from './draw-plan.ts';
import { everyPlan } from './every-plan.ts';
import type { FaultInjector } from './fault-injector.ts';
import { targetOf, type Fault, type FaultKind, type FaultPlan, type HandAction } from './fault-plan.ts';

const hour = 3_600_000;

/**
 * Faults that are injected one at a time at each operation of the operator; those in a group affect the same operations
 * and have similar effects.
 */
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
  [{ fault: 'crash-at-call', when: 'before' }],
  [{ fault: 'crash-at-call', when: 'after' }],
  [{ fault: 'lost-reply' }],
];

/** The same for its dependencies: frozen, down for ten minutes, and with an outage. */
const dependencyFaults: typeof operatorFaults = [
  [
    { fault: 'freeze', for: 30_000 },
    { fault: 'crash', when: 'after', away: 600_000 },
  ],
  [{ fault: 'outage', calls: 3 }],
];

/** The leader freezes for longer than its Lease lasts. */
const leaderFaults: typeof operatorFaults = [[{ fault: 'freeze', for: 60_000 }]];

/** The run that single faults are derived from. */
interface SweptRun {
  readonly operations: ProcessOperations;
  readonly startOperations: ProcessOperations;
  readonly changingCalls: FaultInjector['changingCalls'];
}

/** Where single faults are injected. */
export interface SweepOptions {
  /** Whether a process belongs to the operator, not to a dependency. */
  isOperator: (process: string) => boolean;
  /**
   * Whether faults are injected before the first user step too: not needed when another scenario starts in the same
   * way.
   */
  withStart: boolean;
  /** Whether all faults of a group are injected at each operation; otherwise they take turns. */
  thorough: boolean;
}

/** Single faults at each operation of the baseline run. */
export function systematicPlans(
  { operations, startOperations, changingCalls }: SweptRun,
  { isOperator, withStart, thorough }: SweepOptions,
): FaultPlan[] {
  const isElected = [...operations.keys()].filter(isOperator).length > 1;
  const after = withStart ? undefined : startOperations;
  const plansOf = (groups: typeof operatorFaults, isSelected: (process: string) => boolean) =>
    groups.flatMap((group) => {
      const all = group.map((fault) => everyPlan(fault, operations, isSelected, after));
      return thorough ? all.flat() : inTurns(all).filter((plan) => startsOutage(plan, after));
    });
  const isChanging = ({ process, at }: Fault) => changingCalls.get(process)?.has(at) === true;
  if (isElected) return plansOf(leaderFaults, isOperator);
  const plans = [
    ...plansOf(operatorFaults, isOperator),
    ...plansOf(dependencyFaults, (process) => !isOperator(process)),
  ];
  return plans.filter(({ faults }) => !faults.some((fault) => isCovered(fault, isChanging)));
}

/**
 * Whether another plan leaves the same state. A crash before a write or call leaves that of a crash after the last
 * write, or call that changed something; a crash after a call that only read, or failed, does too. When the reply of
 * such a call is lost, it is as if the call had failed in an outage.
 */
function isCovered(fault: Fault, isChanging: (fault: Fault) => boolean): boolean {
  if (fault.fault === 'crash') return fault.when === 'before' && fault.at > 1;
  if (fault.fault === 'crash-at-call' && fault.when === 'before') return fault.at > 1;
  return (fault.fault === 'crash-at-call' || fault.fault === 'lost-reply') && !isChanging(fault);
}

/** Manual changes of a child; those in a group have similar effects. */
const handActions: readonly (readonly HandAction[])[] = [
  ['Background', 'Foreground', 'Orphan'],
  ['unlabel', 'empty'],
];

/** An object that people can change by hand. */
export interface Child {
  readonly key: string;
  /** Whether it exists before the first user step: otherwise a manual change at rest has no effect. */
  readonly isAtStart: boolean;
}

/**
 * Manual changes of each child: after a write of the operator, a different one for each child; and at rest, unless
 * another scenario starts in the same way and covers it.
 */
export function handPlans(
  { children, operations }: { children: readonly Child[]; operations: ProcessOperations },
  { isOperator, withStart, thorough }: SweepOptions,
): FaultPlan[] {
  // A replica that is not the leader writes nothing.
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

/**
 * Whether the plan is needed for outages to fail each call once: an outage of several calls covers those that follow
 * it.
 */
function startsOutage({ faults: [fault] }: FaultPlan, after: ProcessOperations | undefined): boolean {
  if (fault?.fault !== 'outage') return true;
  const skipped = after?.get(fault.process)?.[targetOf.outage] ?? 0;
  return (fault.at - 1 - skipped) % fault.calls === 0;
}

/** The first item of the first list, the second of the second, and so on; the lists have equal length. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  return (lists[0] ?? []).map((item, at) => lists[at % lists.length]?.[at] ?? item);
}

/** The plans of this many seeds. */
export function drawnPlans(operations: ProcessOperations, first: number, count: number): FaultPlan[] {
  return Array.from({ length: count }, (_, index) => drawPlan(first + index, operations));
}
