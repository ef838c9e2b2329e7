// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type Operation, type OperationCounts, type Fault, type FaultOf } from './fault-plan.ts';

/** Counts the operations of processes and selects the faults due at each. */
export interface FaultInjector {
  /** Counts one operation; returns the faults due at it. */
  count<C extends Operation>(process: string, what: C): readonly FaultOf<C>[];
  readonly counts: ProcessOperations;
  /** For each process, the numbers of the writes that directly followed a call to an external system. */
  readonly writesAfterCalls: ReadonlyMap<string, ReadonlySet<number>>;
  /** The number of faults triggered so far. */
  readonly triggered: number;
  /** Disables all further faults. */
  disable(): void;
}

/** A fault injector; `markActivity` is called when a fault is triggered. */
export function faultInjector(faults: readonly Fault[], markActivity: () => void): FaultInjector {
  const counts = new Map<string, OperationCounts>();
  const due = Map.groupBy(faults, ({ process, fault, at }) => `${process} ${targetOf[fault]} ${at}`);
  const writesAfterCalls = new Map<string, Set<number>>();
  const hasCalled = new Set<string>();
  let triggered = 0;

  function noteCalls(process: string, what: Operation, number: number): void {
    if (what === 'call') hasCalled.add(process);
    if (what !== 'write' || !hasCalled.delete(process)) return;
    writesAfterCalls.set(process, (writesAfterCalls.get(process) ?? new Set()).add(number));
  }

  return {
    counts,
    writesAfterCalls,
    get triggered() {
      return triggered;
    },
    disable: () => due.clear(),
    count<C extends Operation>(process: string, what: C) {
      const own = counts.get(process) ?? { write: 0, request: 0, watch: 0, list: 0, event: 0, call: 0 };
      counts.set(process, own);
      own[what] += 1;
      noteCalls(process, what, own[what]);
      const found = (due.get(`${process} ${what} ${own[what]}`) ?? []) as FaultOf<C>[];
      triggered += found.length;
      if (found.length > 0) markActivity();
      return found;
    },
  };
}
