// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type Operation, type OperationCounts, type Fault, type FaultOf } from './fault-plan.ts';

/** Counts the operations of processes and selects the faults due at each. */
export interface FaultInjector {
  /** Counts one operation; returns the faults due at it. */
  count<C extends Operation>(process: string, what: C): readonly FaultOf<C>[];
  readonly counts: ProcessOperations;
  /** The number of faults triggered so far. */
  readonly triggered: number;
  /** Disables all further faults. */
  disable(): void;
}

/** A fault injector; `markActivity` is called when a fault is triggered. */
export function faultInjector(faults: readonly Fault[], markActivity: () => void): FaultInjector {
  const counts = new Map<string, OperationCounts>();
  const due = Map.groupBy(faults, ({ process, fault, at }) => `${process} ${targetOf[fault]} ${at}`);
  let triggered = 0;
  return {
    counts,
    get triggered() {
      return triggered;
    },
    disable: () => due.clear(),
    count<C extends Operation>(process: string, what: C) {
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
