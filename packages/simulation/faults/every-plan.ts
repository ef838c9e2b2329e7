// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type FaultKind, type FaultPlan } from './fault-plan.ts';

/** Faults that affect the same operation: they take turns from one operation to the next. */
export type Turns = readonly [FaultKind, ...FaultKind[]];

/** The plans with one fault, at every operation of the baseline run that it can affect, but for those before `after`. */
export function everyPlan(
  [first, ...others]: Turns,
  operations: ProcessOperations,
  isMeant: (process: string) => boolean = () => true,
  after: ProcessOperations = new Map(),
): FaultPlan[] {
  const target = targetOf[first.fault];
  const faultAt = (at: number) => others[(at % (others.length + 1)) - 1] ?? first;
  return [...operations]
    .filter(([process]) => isMeant(process))
    .flatMap(([process, counts]) =>
      Array.from({ length: counts[target] }, (_, index) => ({
        seed: index + 1,
        faults: [{ ...faultAt(index), process, at: index + 1 }],
      })).slice(after.get(process)?.[target] ?? 0),
    );
}
