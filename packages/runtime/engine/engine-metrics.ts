// SPDX-License-Identifier: Apache-2.0
import type { Counter, Histogram } from '../observability/metrics.ts';

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
