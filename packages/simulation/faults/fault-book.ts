// SPDX-License-Identifier: Apache-2.0
import type { Shape } from './draw-plan.ts';
import { meets, type Countable, type Counts, type Fault, type FaultOf } from './plan.ts';

/** Counts what processes do, and knows which faults that meets. */
export interface FaultBook {
  /** Counts one more of these; gives the faults that meet it. */
  meet<C extends Countable>(process: string, what: C): readonly FaultOf<C>[];
  readonly counts: Shape;
  /** How many faults have met something. */
  readonly met: number;
  /** Nothing goes wrong any more. */
  close(): void;
}

/** A book in which nothing has been counted yet; `stir` is called when a fault meets something. */
export function faultBook(faults: readonly Fault[], stir: () => void): FaultBook {
  const counts = new Map<string, Counts>();
  const due = Map.groupBy(faults, ({ process, fault, at }) => `${process} ${meets[fault]} ${at}`);
  let met = 0;
  return {
    counts,
    get met() {
      return met;
    },
    close: () => due.clear(),
    meet<C extends Countable>(process: string, what: C) {
      const own = counts.get(process) ?? { write: 0, request: 0, watch: 0, list: 0, event: 0, call: 0 };
      counts.set(process, own);
      own[what] += 1;
      const found = (due.get(`${process} ${what} ${own[what]}`) ?? []) as FaultOf<C>[];
      met += found.length;
      if (found.length > 0) stir();
      return found;
    },
  };
}
