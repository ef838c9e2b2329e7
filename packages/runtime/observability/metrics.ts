// SPDX-License-Identifier: Apache-2.0

/** A metric with the labels `L`. */
export interface Metric<L extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

/** A value that only grows. */
export interface Counter<L extends string = string> extends Metric<L> {
  readonly type: 'counter';
}

/** A value that goes up and down. */
export interface Gauge<L extends string = string> extends Metric<L> {
  readonly type: 'gauge';
}

/** Observations counted in buckets. */
export interface Histogram<L extends string = string> extends Metric<L> {
  readonly type: 'histogram';
  readonly buckets: readonly number[];
}

/** Records metrics. A metric is registered with its first measurement. */
export interface Metrics {
  /** Adds to a counter; adding 0 creates the series. */
  count<L extends string>(metric: Counter<L>, labels: Readonly<Record<L, string>>, by?: number): void;
  set<L extends string>(metric: Gauge<L>, labels: Readonly<Record<L, string>>, value: number): void;
  /** Reads the value at every scrape. */
  sample<L extends string>(
    metric: Counter<L> | Gauge<L>,
    labels: Readonly<Record<L, string>>,
    read: () => number,
  ): void;
  observe<L extends string>(metric: Histogram<L>, labels: Readonly<Record<L, string>>, value: number): void;
  /** Removes the series with these labels. */
  remove<L extends string>(metric: Metric<L>, labels: Readonly<Record<L, string>>): void;
}

/** Records nothing. */
export const noMetrics: Metrics = { count() {}, set() {}, sample() {}, observe() {}, remove() {} };
