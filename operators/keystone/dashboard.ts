// SPDX-License-Identifier: Apache-2.0
import { stepMetricsOf } from '@forge/runtime/engine/step-metrics.ts';
import { databaseJobDuration, databaseJobs } from './contract/database-metrics.ts';
import { keyRotationAge } from './contract/key-metrics.ts';

const steps = stepMetricsOf('keystone_operator');
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** One query of a panel, and the name of its lines. */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

const p95 = (by: string, histogram: string) =>
  `histogram_quantile(0.95, sum by (${by}, le) (rate(${histogram}_bucket[5m])))`;

const panels: readonly { title: string; unit: string; queries: readonly Query[] }[] = [
  {
    title: 'Duration of steps, 95th percentile',
    unit: 's',
    queries: [{ expr: p95('sub_reconciler', steps.duration.name), legend: '{{sub_reconciler}}' }],
  },
  {
    title: 'Errors by condition',
    unit: 'cps',
    queries: [{ expr: `sum by (condition_type) (rate(${steps.errors.name}[5m]))`, legend: '{{condition_type}}' }],
  },
  {
    title: 'Age of keys',
    unit: 's',
    queries: [
      {
        expr: `max by (namespace, keystone, key_type) (${keyRotationAge.name})`,
        legend: '{{namespace}}/{{keystone}} {{key_type}}',
      },
    ],
  },
  {
    title: 'Jobs on the database: duration, 95th percentile, and failures',
    unit: 's',
    queries: [
      { expr: p95('namespace, keystone', databaseJobDuration.name), legend: '{{namespace}}/{{keystone}}' },
      {
        expr: `sum by (namespace, keystone) (rate(${databaseJobs.name}{result="failed"}[5m]))`,
        legend: '{{namespace}}/{{keystone}} failed per second',
      },
    ],
  },
];

/** The Grafana dashboard of the operator. */
export const keystoneDashboard = {
  title: 'Keystone Operator',
  uid: 'keystone-operator',
  schemaVersion: 39,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map(({ title, unit, queries }, index) => ({
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 9, w: 12, h: 9 },
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets: queries.map(({ expr, legend }, query) => ({
      refId: 'AB'.charAt(query),
      datasource,
      expr,
      legendFormat: legend,
    })),
  })),
};
