// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Clock } from '../environment/clock.ts';
import type { Metrics } from '../observability/metrics.ts';
import { causesOf } from '../queue/reconcile-error.ts';
import { passMetricsOf } from './engine-metrics.ts';

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
