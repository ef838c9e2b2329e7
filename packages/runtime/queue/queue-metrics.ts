// SPDX-License-Identifier: Apache-2.0
import type { Counter, Gauge, Histogram, Metrics } from '../observability/metrics.ts';

/** Metrics of a work queue; times are milliseconds. */
export interface QueueMetrics {
  depth(urgent: number, routine: number): void;
  added(): void;
  taken(waited: number): void;
  done(worked: number): void;
  retried(): void;
  /** Registers a function that returns how long each key in progress has been held. */
  sampleHeld(held: () => readonly number[]): void;
}

// Names, labels, buckets and priorities are those of controller-runtime, so that its dashboards work.

type QueueLabel = 'name' | 'controller';
const labels = ['name', 'controller'] as const;
const buckets = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));
const priority = { urgent: '0', routine: '-100' };

const depthGauge: Gauge<QueueLabel | 'priority'> = {
  type: 'gauge',
  name: 'workqueue_depth',
  help: 'Keys waiting for a worker.',
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
  help: 'Keys requeued after a failure.',
  labels,
};

const unfinished: Gauge<QueueLabel> = {
  type: 'gauge',
  name: 'workqueue_unfinished_work_seconds',
  help: 'How long the keys in progress have been worked on, in total.',
  labels,
};
const longest: Gauge<QueueLabel> = {
  type: 'gauge',
  name: 'workqueue_longest_running_processor_seconds',
  help: 'How long the longest running key has been worked on.',
  labels,
};

/** The queue metrics of a controller; its series exist from the start. */
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
