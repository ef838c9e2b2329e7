// SPDX-License-Identifier: Apache-2.0
import type { ProcessOperations } from './draw-plan.ts';
import { baselineSeed, targetOf, type FaultKind, type FaultPlan } from './fault-plan.ts';

/**
 * The plans with this one fault, at every operation of the baseline run that it can affect, except the first ones,
 * which `after` counts. Each has another order of concurrent operations; but a fault of one call, such as that which
 * initialises a server, needs the order of the baseline run: in another one the same number is that of another call.
 */
export function everyPlan(
  fault: FaultKind,
  operations: ProcessOperations,
  isSelected: (process: string) => boolean = () => true,
  after: ProcessOperations = new Map(),
): FaultPlan[] {
  const target = targetOf[fault.fault];
  const isOfOneCall = fault.fault === 'crash-at-call' || fault.fault === 'lost-reply';
  return [...operations]
    .filter(([process]) => isSelected(process))
    .flatMap(([process, counts]) =>
      Array.from({ length: counts[target] }, (_, index) => ({
        seed: isOfOneCall ? baselineSeed : index + 1,
        faults: [{ ...fault, process, at: index + 1 }],
      })).slice(after.get(process)?.[target] ?? 0),
    );
}
