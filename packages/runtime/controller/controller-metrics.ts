// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../observability/metrics.ts';

// Names, labels and buckets are those of controller-runtime, so that its dashboards work.

const total: Counter<'controller' | 'result'> = {
  type: 'counter',
  name: 'controller_runtime_reconcile_total',
  help: 'Reconciliations by result.',
  labels: ['controller', 'result'],
};
const errors: Counter<'controller'> = {
  type: 'counter',
  name: 'controller_runtime_reconcile_errors_total',
  help: 'Reconciliations that failed.',
  labels: ['controller'],
};
const time: Histogram<'controller'> = {
  type: 'histogram',
  name: 'controller_runtime_reconcile_time_seconds',
  help: 'How long reconciliations took.',
  labels: ['controller'],
  buckets: [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75,
    2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
  ],
};
const maximum: Gauge<'controller'> = {
  type: 'gauge',
  name: 'controller_runtime_max_concurrent_reconciles',
  help: 'How many reconciliations may run at a time.',
  labels: ['controller'],
};
const active: Gauge<'controller'> = {
  type: 'gauge',
  name: 'controller_runtime_active_workers',
  help: 'How many reconciliations are running.',
  labels: ['controller'],
};

/** Runs a reconciliation and measures it. */
export type ControllerMetrics = (reconcile: () => Promise<Duration | undefined>) => Promise<Duration | undefined>;

/** The metrics of a controller; its series exist from the start. */
export function controllerMetrics(
  { metrics, clock }: { metrics: Metrics; clock: Clock },
  controller: string,
  workers: number,
): ControllerMetrics {
  let running = 0;
  for (const result of ['success', 'error', 'requeue', 'requeue_after'])
    metrics.count(total, { controller, result }, 0);
  metrics.count(errors, { controller }, 0);
  metrics.set(maximum, { controller }, workers);
  metrics.set(active, { controller }, 0);

  return async (reconcile) => {
    const began = clock.monotonic();
    let result = 'error';
    metrics.set(active, { controller }, (running += 1));
    try {
      const recheck = await reconcile();
      result = recheck === undefined ? 'success' : recheck > 0 ? 'requeue_after' : 'requeue';
      return recheck;
    } finally {
      metrics.set(active, { controller }, (running -= 1));
      metrics.observe(time, { controller }, (clock.monotonic() - began) / 1000);
      metrics.count(total, { controller, result });
      if (result === 'error') metrics.count(errors, { controller });
    }
  };
}
