// SPDX-License-Identifier: Apache-2.0
import type { Counter, Gauge, Histogram, Metrics } from '../metrics/metrics.ts';

/** Is told what happens in a queue; times are milliseconds. */
export interface QueueMetrics {
  depth(urgent: number, routine: number): void;
  added(): void;
  taken(waited: number): void;
  done(worked: number): void;
  retried(): void;
  /** Is told, once, how to learn for how long each held key has been held. */
  sampleHeld(held: () => readonly number[]): void;
}

// Names, labels, buckets and priorities are those of controller-runtime, for its dashboards to work.

type QueueLabel = 'name' | 'controller';
const labels = ['name', 'controller'] as const;
const buckets = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));
const priority = { urgent: '0', routine: '-100' };

const depthGauge: Gauge<QueueLabel | 'priority'> = {
  type: 'gauge',
  name: 'workqueue_depth',
  help: 'Keys that wait for a worker.',
  labels: [...labels, 'priority'],
};
const adds: Counter<QueueLabel> = {
  type: 'counter',
  name: 'workqueue_adds_total',
  help: 'Keys added to the queue.',
  labels,
};
const queueDuration: Histogram<QueueLabel> = {
  type: 'histogram',
  name: 'workqueue_queue_duration_seconds',
  help: 'How long keys waited for a worker.',
  labels,
  buckets,
};
const workDuration: Histogram<QueueLabel> = {
  type: 'histogram',
  name: 'workqueue_work_duration_seconds',
  help: 'How long workers held keys.',
  labels,
  buckets,
};
const retries: Counter<QueueLabel> = {
  type: 'counter',
  name: 'workqueue_retries_total',
  help: 'Keys that came back after a failure.',
  labels,
};

const unfinished: Gauge<QueueLabel> = {
  type: 'gauge',
  name: 'workqueue_unfinished_work_seconds',
  help: 'How long the keys held now have been held, taken together.',
  labels,
};
const longest: Gauge<QueueLabel> = {
  type: 'gauge',
  name: 'workqueue_longest_running_processor_seconds',
  help: 'For how long the key held longest has been held.',
  labels,
};

/** Measures the queue of this controller; its series are there from the start. */
export function queueMetrics(metrics: Metrics, controller: string): QueueMetrics {
  const queue = { name: controller, controller };
  for (const counter of [adds, retries]) metrics.count(counter, queue, 0);
  for (const each of Object.values(priority)) metrics.set(depthGauge, { ...queue, priority: each }, 0);
  return {
    depth(urgent, routine) {
      metrics.set(depthGauge, { ...queue, priority: priority.urgent }, urgent);
      metrics.set(depthGauge, { ...queue, priority: priority.routine }, routine);
    },
    added: () => metrics.count(adds, queue),
    taken: (waited) => metrics.observe(queueDuration, queue, waited / 1000),
    done: (worked) => metrics.observe(workDuration, queue, worked / 1000),
    retried: () => metrics.count(retries, queue),
    sampleHeld(held) {
      metrics.sample(unfinished, queue, () => held().reduce((sum, each) => sum + each, 0) / 1000);
      metrics.sample(longest, queue, () => Math.max(0, ...held()) / 1000);
    },
  };
}
