// SPDX-License-Identifier: Apache-2.0
import type { Outcome, Satisfied } from './outcome.ts';

/** How a step fared in a pass: its outcome, what it threw, or that it did not run. */
export type StepResult = Outcome | { outcome: 'threw'; error: unknown } | { outcome: 'skipped' };

/** Whether the step ran to an end. */
export function isOutcome(result: StepResult): result is Outcome {
  return result.outcome !== 'threw' && result.outcome !== 'skipped';
}

/** Something that runs after what it needs. */
interface Node<N> {
  readonly needs: Readonly<Record<string, N>>;
}

/**
 * Runs every step as soon as the steps it needs are satisfied, side by side where they allow it; a step that needs one
 * that is not satisfied is skipped. After an `again` no step starts any more. The results are in list order.
 */
export async function runSteps<N extends Node<N>>(
  steps: readonly N[],
  run: (step: N, needs: Readonly<Record<string, unknown>>) => Promise<Outcome>,
): Promise<ReadonlyMap<N, StepResult>> {
  const results = new Map<N, Promise<StepResult>>();
  let over = false;

  function resultOf(step: N): Promise<StepResult> {
    const result = results.get(step) ?? runAfterNeeds(step);
    results.set(step, result);
    return result;
  }

  async function runAfterNeeds(step: N): Promise<StepResult> {
    const needs = await Promise.all(
      Object.entries(step.needs).map(async ([name, need]) => [name, await resultOf(need)] as const),
    );
    const outputs = needs.flatMap(([name, result]) => (isSatisfied(result) ? [[name, result.output] as const] : []));
    if (over || outputs.length < needs.length) return { outcome: 'skipped' };
    try {
      const outcome = await run(step, Object.fromEntries(outputs));
      if (outcome.outcome === 'again') over = true;
      return outcome;
    } catch (error) {
      return { outcome: 'threw', error };
    }
  }

  return new Map(await Promise.all(steps.map(async (step) => [step, await resultOf(step)] as const)));
}

/** Whether steps that need this one may run. */
export function isSatisfied(result: StepResult): result is Satisfied<unknown, unknown> {
  return result.outcome === 'ready' || result.outcome === 'degraded';
}
