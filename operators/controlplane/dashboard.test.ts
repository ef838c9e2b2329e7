// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlPlaneDashboard } from './dashboard.ts';

test('the dashboard asks for the metrics that are specified', () => {
  const queries = controlPlaneDashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.deepEqual(queries, [
    'histogram_quantile(0.95, sum by (sub_reconciler, le) (rate(c5c3_operator_reconcile_duration_seconds_bucket[5m])))',
    'sum by (condition_type) (rate(c5c3_operator_reconcile_errors_total[5m]))',
  ]);
});
