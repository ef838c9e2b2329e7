// SPDX-License-Identifier: Apache-2.0
import { stepMetricsOf } from '../engine/engine-metrics.ts';

/** One query of a panel, and the name of its lines. */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** One diagram of a dashboard. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly Query[];
}

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The query of a histogram's 95th percentile. */
export const percentile95 = (by: string, histogram: string) =>
  `histogram_quantile(0.95, sum by (${by}, le) (rate(${histogram}_bucket[5m])))`;

/** Panels of the metrics that the steps of every operator have. */
export function stepPanels(metricPrefix: string): Panel[] {
  const { duration, errors } = stepMetricsOf(metricPrefix);
  return [
    {
      title: 'Duration of steps, 95th percentile',
      unit: 's',
      queries: [{ expr: percentile95('sub_reconciler', duration.name), legend: '{{sub_reconciler}}' }],
    },
    {
      title: 'Errors by condition',
      unit: 'cps',
      queries: [{ expr: `sum by (condition_type) (rate(${errors.name}[5m]))`, legend: '{{condition_type}}' }],
    },
  ];
}

/** A Grafana dashboard of an operator's metrics, two panels in a row. */
export function grafanaDashboard({ title, uid, panels }: { title: string; uid: string; panels: readonly Panel[] }) {
  return {
    title,
    uid,
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(({ title: heading, unit, queries }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: heading,
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
}
