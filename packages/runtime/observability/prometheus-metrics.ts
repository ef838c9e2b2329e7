// SPDX-License-Identifier: Apache-2.0
import * as prometheus from 'prom-client';
import type { Counter, Gauge, Metric, Metrics } from './metrics.ts';

/** Metrics that Prometheus can scrape. */
export interface PrometheusMetrics extends Metrics {
  /** The content type of `text`. */
  readonly contentType: string;
  text(): Promise<string>;
}

/** An empty registry; metrics of one name are one metric. */
export function prometheusMetrics(): PrometheusMetrics {
  const registry = new prometheus.Registry();
  const recorders = new Map<string, { remove(labels: Readonly<Record<string, string>>): void }>();
  const sampled = new Map<string, () => void>();

  /** The recorder made for a metric at its first measurement. */
  function recorderOf<R extends { remove(labels: Readonly<Record<string, string>>): void }>(
    { name }: Metric,
    make: () => R,
  ): R {
    const recorder = recorders.get(name) ?? make();
    recorders.set(name, recorder);
    // Created for a metric of this name before.
    return recorder as R;
  }

  const definitionOf = ({ name, help, labels }: Metric) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });

  function set<L extends string>(metric: Gauge<L>, labels: Readonly<Record<L, string>>, value: number): void {
    recorderOf(metric, () => new prometheus.Gauge(definitionOf(metric))).set(labels, value);
  }

  function count<L extends string>(metric: Counter<L>, labels: Readonly<Record<L, string>>, by = 1): void {
    recorderOf(metric, () => new prometheus.Counter(definitionOf(metric))).inc(labels, by);
  }

  return {
    contentType: registry.contentType,
    text() {
      for (const look of sampled.values()) look();
      return registry.metrics();
    },

    count,
    set,

    sample(metric, labels, read) {
      const series = seriesOf(metric, labels);
      if (metric.type === 'gauge') return void sampled.set(series, () => set(metric, labels, read()));
      let last = 0;
      sampled.set(series, () => {
        const value = read();
        count(metric, labels, value - last);
        last = value;
      });
    },

    observe(metric, labels, value) {
      const make = () => new prometheus.Histogram({ ...definitionOf(metric), buckets: [...metric.buckets] });
      recorderOf(metric, make).observe(labels, value);
    },

    remove(metric, labels) {
      sampled.delete(seriesOf(metric, labels));
      recorders.get(metric.name)?.remove(labels);
    },
  };
}

function seriesOf<L extends string>({ name, labels: names }: Metric<L>, labels: Readonly<Record<L, string>>): string {
  return JSON.stringify([name, ...names.map((label) => labels[label])]);
}
