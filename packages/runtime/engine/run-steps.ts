// SPDX-License-Identifier: Apache-2.0
import { ready, type Outcome, type Satisfied, type SkippedText } from '../steps/outcome.ts';

/** The result of a step in a pass: its outcome, the error it threw, or that it was skipped. */
export type StepResult =
  | Outcome
  | { outcome: 'threw'; error: unknown }
  | { outcome: 'skipped'; text?: SkippedText | undefined };

/** Whether the step returned an outcome. */
export function isOutcome(result: StepResult): result is Outcome {
  return result.outcome !== 'threw' && result.outcome !== 'skipped';
}

/** A node of the step graph. */
interface Node<N> {
  readonly needs: Readonly<Record<string, N>>;
  /** Steps that must have ended before, with any outcome. */
  readonly after: readonly N[];
  /** The text when it is skipped because of `unmet`, the first unmet need. */
  skipped?(unmet: N): SkippedText | undefined;
}

/**
 * Runs every step as soon as the steps it needs are satisfied and those it comes after have ended, in parallel where
 * possible; a step with an unmet need is skipped. Steps that `finished` in an earlier pass count as ready. After a
 * `requeueNow` or a `checkpoint` no further step starts. The results are in list order.
 */
export async function runSteps<N extends Node<N>>(
  steps: readonly N[],
  run: (step: N, needs: Readonly<Record<string, unknown>>) => Promise<Outcome>,
  finished: readonly N[] = [],
): Promise<ReadonlyMap<N, StepResult>> {
  const results = new Map<N, Promise<StepResult>>(finished.map((step) => [step, Promise.resolve(ready())]));
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
      if (outcome.outcome === 'requeueNow' || outcome.outcome === 'checkpoint') over = true;
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
