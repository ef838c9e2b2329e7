// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type Operation, type OperationCounts, type Fault, type FaultOf } from './fault-plan.ts';

/** Counts the operations of processes and selects the faults due at each. */
export interface FaultInjector {
  /** Counts one operation; returns the faults due at it. */
  count<C extends Operation>(process: string, what: C): readonly FaultOf<C>[];
  readonly counts: ProcessOperations;
  /** Notes that this call of the process may have changed the external system. */
  noteChange(process: string, call: number): void;
  /** For each process, the numbers of these calls. */
  readonly changingCalls: ReadonlyMap<string, ReadonlySet<number>>;
  /** The number of faults triggered so far. */
  readonly triggered: number;
  /** Ends the part of the run that faults affect: no further operation is counted, none has a fault. */
  disable(): void;
}

/** A fault injector; `markActivity` is called when a fault is triggered. */
export function faultInjector(faults: readonly Fault[], markActivity: () => void): FaultInjector {
  const counts = new Map<string, OperationCounts>();
  const due = Map.groupBy(faults, ({ process, fault, at }) => `${process} ${targetOf[fault]} ${at}`);
  const changingCalls = new Map<string, Set<number>>();
  let triggered = 0;
  let enabled = true;

  return {
    counts,
    changingCalls,
    get triggered() {
      return triggered;
    },
    disable: () => {
      enabled = false;
    },
    noteChange(process, call) {
      if (!enabled) return;
      changingCalls.set(process, (changingCalls.get(process) ?? new Set()).add(call));
    },
    count<C extends Operation>(process: string, what: C) {
      if (!enabled) return [];
      const own = counts.get(process) ?? { write: 0, request: 0, watch: 0, list: 0, event: 0, call: 0 };
      counts.set(process, own);
      own[what] += 1;
      const found = (due.get(`${process} ${what} ${own[what]}`) ?? []) as FaultOf<C>[];
      triggered += found.length;
      if (found.length > 0) markActivity();
      return found;
    },
  };
}
