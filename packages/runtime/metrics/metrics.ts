// SPDX-License-Identifier: Apache-2.0

/** A family of numbers, told apart by their labels `L`. */
export interface Metric<L extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

/** A number that only grows. */
export interface Counter<L extends string = string> extends Metric<L> {
  readonly type: 'counter';
}

/** A number that goes up and down. */
export interface Gauge<L extends string = string> extends Metric<L> {
  readonly type: 'gauge';
}

/** How often a number fell below each of its buckets. */
export interface Histogram<L extends string = string> extends Metric<L> {
  readonly type: 'histogram';
  readonly buckets: readonly number[];
}

/** Where measurements go. A metric is known from its first measurement on. */
export interface Metrics {
  /** Adds to a counter; adding 0 makes it known. */
  count<L extends string>(metric: Counter<L>, labels: Readonly<Record<L, string>>, by?: number): void;
  set<L extends string>(metric: Gauge<L>, labels: Readonly<Record<L, string>>, value: number): void;
  /** Asks for the value whenever somebody looks. */
  sample<L extends string>(
    metric: Counter<L> | Gauge<L>,
    labels: Readonly<Record<L, string>>,
    read: () => number,
  ): void;
  observe<L extends string>(metric: Histogram<L>, labels: Readonly<Record<L, string>>, value: number): void;
  /** Forgets the series with these labels. */
  remove<L extends string>(metric: Metric<L>, labels: Readonly<Record<L, string>>): void;
}

/** For those who do not want to know. */
export const noMetrics: Metrics = { count() {}, set() {}, sample() {}, observe() {}, remove() {} };
