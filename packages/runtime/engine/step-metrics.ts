// SPDX-License-Identifier: Apache-2.0
import type { ReconcileContext } from '../controller/controller.ts';
import type { Counter, Histogram } from '../observability/metrics.ts';
import type { Outcome } from '../steps/outcome.ts';
import type { StepCondition } from '../steps/step.ts';

/** A step as far as it is measured. */
interface Measured {
  readonly name: string;
  readonly condition: StepCondition | undefined;
}

/** The metrics of one operator's steps; the prefix is the operator's name: `keystone_operator`. */
export function stepMetricsOf(prefix: string) {
  const duration: Histogram<'sub_reconciler'> = {
    type: 'histogram',
    name: `${prefix}_reconcile_duration_seconds`,
    help: 'Wall-clock duration of a sub-reconciler invocation, in seconds.',
    labels: ['sub_reconciler'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  };
  const errors: Counter<'sub_reconciler' | 'condition_type'> = {
    type: 'counter',
    name: `${prefix}_reconcile_errors_total`,
    help: 'Count of sub-reconciler errors, partitioned by sub-reconciler and the condition type it failed to satisfy.',
    labels: ['sub_reconciler', 'condition_type'],
  };
  return { duration, errors };
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
