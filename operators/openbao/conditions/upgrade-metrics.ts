// SPDX-License-Identifier: Apache-2.0
import type { Counter, Gauge, Histogram } from '@forge/runtime/observability/metrics.ts';
import { metricPrefix } from '../api/names.ts';

type Label = 'namespace' | 'name';

const labels = ['namespace', 'name'] as const;

const gauge = (name: string, help: string): Gauge<Label> => ({
  type: 'gauge',
  name: `${metricPrefix}_upgrade_${name}`,
  help,
  labels,
});

const counter = (name: string, help: string): Counter<Label> => ({ ...gauge(name, help), type: 'counter' });

const histogram = <L extends string>(
  name: string,
  help: string,
  of: { labels: readonly L[]; buckets: readonly number[] },
): Histogram<Label | L> => ({
  ...gauge(name, help),
  type: 'histogram',
  labels: [...labels, ...of.labels],
  buckets: of.buckets,
});

/** The metrics of upgrades. */
export const upgradeMetrics = {
  status: gauge(
    'status',
    '0 when there was none, 1 while one is under way, 2 after one that succeeded, 3 while one is halted.',
  ),
  inProgress: gauge('in_progress', '1 while pods are being replaced.'),
  podsCompleted: gauge('pods_completed', 'Pods that the upgrade has replaced.'),
  podsTotal: gauge('pods_total', 'Pods that the upgrade replaces.'),
  partition: gauge('partition', 'Ordinal from which on pods are of the new revision.'),
  stepDowns: counter('stepdown_total', 'Leaders that were asked to step down.'),
  stepDownFailures: counter('stepdown_failures_total', 'Leaders that could not be asked to step down, or did not.'),
  duration: histogram('duration_seconds', 'How long upgrades took.', {
    labels: ['from_version', 'to_version'],
    buckets: [60, 120, 300, 600, 900, 1200, 1800, 3600],
  }),
  podDuration: histogram('pod_duration_seconds', 'How long the upgrade of a pod took.', {
    labels: ['pod'],
    buckets: [10, 30, 60, 120, 180, 300, 600],
  }),
} as const;
