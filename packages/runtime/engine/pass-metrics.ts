// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Clock } from '../environment/clock.ts';
import type { Counter, Histogram, Metrics } from '../observability/metrics.ts';
import { causesOf } from '../queue/reconcile-error.ts';

const labels = ['namespace', 'name', 'controller'] as const;
type Label = (typeof labels)[number];

/** The metrics of passes by resource; the prefix is that of the resource's metrics: `openbao`. */
export function passMetricsOf(prefix: string) {
  const duration: Histogram<Label> = {
    type: 'histogram',
    name: `${prefix}_reconcile_duration_seconds`,
    help: 'Wall-clock duration of a reconciliation of the resource, in seconds.',
    labels,
    buckets: [0.5, 1, 2, 5, 10, 20, 30, 60],
  };
  const errors: Counter<Label | 'reason'> = {
    type: 'counter',
    name: `${prefix}_reconcile_errors_total`,
    help: 'Errors of reconciliations of the resource; reason is that of the API server, or the kind of the error.',
    labels: [...labels, 'reason'],
  };
  return { duration, errors };
}

/** Runs a pass over a resource and measures it. */
export type MeasurePass = <R>(
  ref: ObjectRef,
  by: { readonly clock: Clock; readonly metrics: Metrics },
  pass: () => Promise<R>,
) => Promise<R>;

/** Measures the passes of one controller by resource; without a prefix it does not. */
export function passMetrics(prefix: string | undefined, controller: string): MeasurePass {
  if (prefix === undefined) return async (_ref, _by, pass) => await pass();
  const { duration, errors } = passMetricsOf(prefix);
  return async ({ namespace = '', name }, { clock, metrics }, pass) => {
    const of = { namespace, name, controller };
    const began = clock.monotonic();
    try {
      return await pass();
    } catch (error) {
      for (const cause of causesOf(error)) metrics.count(errors, { ...of, reason: reasonOf(cause) });
      throw error;
    } finally {
      metrics.observe(duration, of, (clock.monotonic() - began) / 1000);
    }
  };
}

function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApiError) return cause.reason ?? String(cause.code);
  }
  return error instanceof Error ? error.name : 'Error';
}
