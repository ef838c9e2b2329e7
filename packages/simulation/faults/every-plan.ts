// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { targetOf, type FaultKind, type FaultPlan } from './fault-plan.ts';

/**
 * The plans with this one fault, at every operation of the baseline run that it can affect, except the first ones,
 * which `after` counts.
 */
export function everyPlan(
  fault: FaultKind,
  operations: ProcessOperations,
  isSelected: (process: string) => boolean = () => true,
  after: ProcessOperations = new Map(),
): FaultPlan[] {
  const target = targetOf[fault.fault];
  return [...operations]
    .filter(([process]) => isSelected(process))
    .flatMap(([process, counts]) =>
      Array.from({ length: counts[target] }, (_, index) => ({
        seed: index + 1,
        faults: [{ ...fault, process, at: index + 1 }],
      })).slice(after.get(process)?.[target] ?? 0),
    );
}
