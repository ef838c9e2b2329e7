// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type FaultKind, type FaultPlan } from './fault-plan.ts';

/** The plans with this one fault, at every operation of the baseline run that it can affect, but for those before `after`. */
export function everyPlan(
  fault: FaultKind,
  operations: ProcessOperations,
  isMeant: (process: string) => boolean = () => true,
  after: ProcessOperations = new Map(),
): FaultPlan[] {
  const target = targetOf[fault.fault];
  return [...operations]
    .filter(([process]) => isMeant(process))
    .flatMap(([process, counts]) =>
      Array.from({ length: counts[target] }, (_, index) => ({
        seed: index + 1,
        faults: [{ ...fault, process, at: index + 1 }],
      })).slice(after.get(process)?.[target] ?? 0),
    );
}
