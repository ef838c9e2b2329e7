// SPDX-License-Identifier: Apache-2.0
import type { Counter, Gauge, Metrics } from '../observability/metrics.ts';

/** The resource usage of a process. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Since the epoch. */
  readonly startSeconds: number;
}

// The names used by Prometheus' client libraries.
const cpu: Counter<never> = {
  type: 'counter',
  name: 'process_cpu_seconds_total',
  help: 'CPU time used, by the program and by the system for it.',
  labels: [],
};
const memory: Gauge<never> = {
  type: 'gauge',
  name: 'process_resident_memory_bytes',
  help: 'Memory in use.',
  labels: [],
};
const start: Gauge<never> = {
  type: 'gauge',
  name: 'process_start_time_seconds',
  help: 'When the process started, in seconds since the epoch.',
  labels: [],
};

/** Samples the resource usage of the process at every scrape. */
export function processMetrics(metrics: Metrics, usage: () => ProcessUsage): void {
  metrics.sample(cpu, {}, () => usage().cpuSeconds);
  metrics.sample(memory, {}, () => usage().residentBytes);
  metrics.sample(start, {}, () => usage().startSeconds);
}
