// SPDX-License-Identifier: Apache-2.0
import type { Outcome, Satisfied, SkippedText } from '../steps/outcome.ts';

/** How a step fared in a pass: its outcome, what it threw, or that it did not run. */
export type StepResult =
  | Outcome
  | { outcome: 'threw'; error: unknown }
  | { outcome: 'skipped'; text?: SkippedText | undefined };

/** Whether the step ran to an end. */
export function isOutcome(result: StepResult): result is Outcome {
  return result.outcome !== 'threw' && result.outcome !== 'skipped';
}

/** Something that runs after what it needs. */
interface Node<N> {
  readonly needs: Readonly<Record<string, N>>;
  /** What must have ended before, however it ended. */
  readonly after: readonly N[];
  /** What is said when `unmet`, the first of its needs in their order, keeps it from running. */
  skipped?(unmet: N): SkippedText | undefined;
}

/**
 * Runs every step as soon as the steps it needs are satisfied and those it comes after have ended, side by side where they
 * allow it; a step that needs one that is not satisfied is skipped. After an `again` or a `checkpoint` no step starts any
 * more. The results are in list order.
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
    await Promise.all(step.after.map(resultOf));
    const needs = await Promise.all(
      Object.entries(step.needs).map(async ([name, need]) => ({ name, need, result: await resultOf(need) })),
    );
    if (over) return { outcome: 'skipped' };
    const unmet = needs.find(({ result }) => !isSatisfied(result));
    if (unmet !== undefined) return { outcome: 'skipped', text: step.skipped?.(unmet.need) };
    const outputs = needs.flatMap(({ name, result }) => (isSatisfied(result) ? [[name, result.output] as const] : []));
    try {
      const outcome = await run(step, Object.fromEntries(outputs));
      if (outcome.outcome === 'again' || outcome.outcome === 'checkpoint') over = true;
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
