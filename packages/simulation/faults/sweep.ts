// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { drawPlan, type ProcessOperations } from './draw-plan.ts';
import { everyPlan } from './every-plan.ts';
import type { FaultInjector } from './fault-injector.ts';
import type { Fault, FaultKind, FaultPlan, HandAction } from './fault-plan.ts';

const hour = 3_600_000;

/** Faults that are injected one at a time at each operation of the operator, with their variants: see variants.ts. */
const operatorFaults: readonly FaultKind[] = [
  { fault: 'crash', when: 'before' },
  { fault: 'crash', when: 'after' },
  { fault: 'cut', when: 'after' },
  { fault: 'refuse', code: 429 },
  { fault: 'refuse', code: 500 },
  { fault: 'break' },
  { fault: 'expire' },
  { fault: 'lag' },
  { fault: 'stale', behind: 10 },
  { fault: 'jump', by: hour },
  { fault: 'outage', calls: 3 },
  { fault: 'crash-at-call', when: 'before' },
  { fault: 'crash-at-call', when: 'after' },
  { fault: 'lost-reply' },
];

/** The same for its dependencies: frozen, down for ten minutes, and with an outage. */
const dependencyFaults: readonly FaultKind[] = [
  { fault: 'freeze', for: 30_000 },
  { fault: 'crash', when: 'after', away: 600_000 },
  { fault: 'outage', calls: 3 },
];

/** The leader freezes for longer than its Lease lasts. */
const leaderFaults: readonly FaultKind[] = [{ fault: 'freeze', for: 60_000 }];

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
}

/** Single faults at each operation of the baseline run. */
export function systematicPlans(
  { operations, startOperations, changingCalls }: SweptRun,
  { isOperator, withStart }: SweepOptions,
): FaultPlan[] {
  const isElected = [...operations.keys()].filter(isOperator).length > 1;
  const after = withStart ? undefined : startOperations;
  const plansOf = (faults: readonly FaultKind[], isSelected: (process: string) => boolean) =>
    faults.flatMap((fault) => everyPlan(fault, operations, isSelected, after));
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

/** Manual changes of a child. */
const handActions: readonly HandAction[] = ['Background', 'Foreground', 'Orphan', 'unlabel', 'empty'];

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
  { isOperator, withStart }: SweepOptions,
): FaultPlan[] {
  // A replica that is not the leader writes nothing.
  const operators = [...operations].filter(([process, { write }]) => isOperator(process) && write > 0);
  return operators.flatMap(([process, { write: writes }]) =>
    children.flatMap(({ key: on, isAtStart }, child) =>
      handActions.flatMap((does, action) =>
        [...(isAtStart && withStart ? [0] : []), 1 + ((child * 7 + action) % writes)].map((at) => ({
          seed: child + 1,
          faults: [{ fault: 'hand' as const, on, does, process, at }],
        })),
      ),
    ),
  );
}

/** The plans of this many seeds: drawn faults, and in every other plan a manual change of a child after a drawn write. */
export function drawnPlans(
  { operations, children }: Pick<SweptRun, 'operations'> & { children: readonly Child[] },
  isOperator: (process: string) => boolean,
  { first, count }: { first: number; count: number },
): FaultPlan[] {
  const writers = [...operations].filter(([process, { write }]) => isOperator(process) && write > 0);
  return Array.from({ length: count }, (_, index) => {
    const plan = drawPlan(first + index, operations);
    const random = seededRandom(-plan.seed);
    const among = (length: number) => Math.floor(random.number() * length);
    const [writer, child, does] = [
      writers[among(writers.length)],
      children[among(children.length)],
      handActions[among(handActions.length)],
    ];
    if (plan.seed % 2 === 1 || writer === undefined || child === undefined || does === undefined) return plan;
    const [process, { write }] = writer;
    return { ...plan, faults: [...plan.faults, { fault: 'hand', on: child.key, does, process, at: 1 + among(write) }] };
  });
}
