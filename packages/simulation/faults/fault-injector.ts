// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type Operation, type OperationCounts, type Fault, type FaultOf } from './fault-plan.ts';

/** Counts what processes do, and knows which faults that meets. */
export interface FaultInjector {
  /** Counts one more of these; gives the faults that meet it. */
  count<C extends Operation>(process: string, what: C): readonly FaultOf<C>[];
  readonly counts: ProcessOperations;
  /** How many faults have met something. */
  readonly triggered: number;
  /** Nothing goes wrong any more. */
  disable(): void;
}

/** A book in which nothing has been counted yet; `markActivity` is called when a fault meets something. */
export function faultInjector(faults: readonly Fault[], markActivity: () => void): FaultInjector {
  const counts = new Map<string, OperationCounts>();
  const due = Map.groupBy(faults, ({ process, fault, at }) => `${process} ${targetOf[fault]} ${at}`);
  let met = 0;
  return {
    counts,
    get triggered() {
      return met;
    },
    disable: () => due.clear(),
    count<C extends Operation>(process: string, what: C) {
      const own = counts.get(process) ?? { write: 0, request: 0, watch: 0, list: 0, event: 0, call: 0 };
      counts.set(process, own);
      own[what] += 1;
      const found = (due.get(`${process} ${what} ${own[what]}`) ?? []) as FaultOf<C>[];
      met += found.length;
      if (found.length > 0) markActivity();
      return found;
    },
  };
}
