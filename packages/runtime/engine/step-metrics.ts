// SPDX-License-Identifier: Apache-2.0
import type { ReconcileContext } from '../controller/controller.ts';
import type { Outcome } from '../steps/outcome.ts';
import type { StepCondition } from '../steps/step.ts';
import { stepMetricsOf } from './engine-metrics.ts';

/** A step as far as it is measured. */
interface Measured {
  readonly name: string;
  readonly condition: StepCondition | undefined;
}

/** Runs a step and measures it. */
export type MeasureStep = (
  step: Measured,
  reconcile: Pick<ReconcileContext, 'clock' | 'metrics'>,
  run: () => Promise<Outcome>,
) => Promise<Outcome>;

/** Measures the steps of one operator. */
export function stepMetrics(prefix: string): MeasureStep {
  const { duration, errors } = stepMetricsOf(prefix);

  return async ({ name, condition }, { clock, metrics }, run) => {
    if (condition?.measured !== true) return await run();
    const began = clock.monotonic();
    const { type, helperOf } = condition;
    let succeeded = false;
    try {
      const outcome = await run();
      succeeded = !isError(outcome);
      return outcome;
    } finally {
      const elapsed = (clock.monotonic() - began) / 1000;
      if (helperOf === undefined) metrics.observe(duration, { sub_reconciler: name }, elapsed);
      if (!succeeded) metrics.count(errors, { sub_reconciler: helperOf ?? name, condition_type: type });
    }
  };
}

function isError(outcome: Outcome): boolean {
  switch (outcome.outcome) {
    case 'failed':
    case 'blocked':
      return true;
    case 'checkpoint':
      return false;
    case 'ready':
    case 'degraded':
    case 'waiting':
    case 'requeueNow':
      return outcome.text?.counts === 'error';
  }
}
