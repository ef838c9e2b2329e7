// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stepMetricsOf } from '@forge/runtime/engine/engine-metrics.ts';
import * as databaseMetrics from './conditions/database-metrics.ts';
import * as keyMetrics from './conditions/key-metrics.ts';
import { keystoneDashboard } from './dashboard.ts';

describe('the dashboard', () => {
  const metrics = [stepMetricsOf('keystone_operator'), databaseMetrics, keyMetrics].flatMap((each) =>
    Object.values(each),
  );
  const queries = keystoneDashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  test('asks for metrics that the operator records, and for labels that they have', () => {
    for (const query of queries) {
      const [name = ''] = /keystone_operator_\w+/.exec(query) ?? [];
      const metric = metrics.find((each) => each.name === name.replace(/_bucket$/, ''));
      assert.ok(metric, query);
      assert.equal(name.endsWith('_bucket'), metric.type === 'histogram', query);
      const labels = /by \(([^)]+)\)/.exec(query)?.[1]?.split(', ') ?? [];
      const known = new Set<string>([...metric.labels, 'le']);
      assert.ok(labels.length > 0 && labels.every((label) => known.has(label)), query);
    }
  });

  test('has the specified name, panels and times', () => {
    const { title, uid, refresh, time, panels } = keystoneDashboard;
    assert.deepEqual([title, uid, refresh, time.from], ['Keystone Operator', 'keystone-operator', '30s', 'now-6h']);
    assert.equal(panels.length, 4);
    assert.equal(queries.length, 5);
  });
});
