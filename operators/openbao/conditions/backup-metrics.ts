// SPDX-License-Identifier: Apache-2.0
import type { Counter, Gauge } from '@forge/runtime/observability/metrics.ts';
import { metricPrefix } from '../api/names.ts';

type Label = 'namespace' | 'name';

const gauge = (name: string, help: string): Gauge<Label> => ({
  type: 'gauge',
  name: `${metricPrefix}_backup_${name}`,
  help,
  labels: ['namespace', 'name'],
});

const counter = (name: string, help: string): Counter<Label> => ({ ...gauge(name, help), type: 'counter' });

/** The metrics of snapshots. */
export const backupMetrics = {
  lastSuccess: gauge('last_success_timestamp', 'When the last snapshot was complete, in seconds since the epoch.'),
  lastDuration: gauge('last_duration_seconds', 'How long the last snapshot took.'),
  lastSize: gauge('last_size_bytes', 'Bytes of the last snapshot.'),
  successes: counter('success_total', 'Snapshots that were stored.'),
  failures: counter('failure_total', 'Snapshots that failed.'),
  consecutiveFailures: gauge('consecutive_failures', 'Snapshots that failed since the last one that was stored.'),
  inProgress: gauge('in_progress', '1 while a snapshot is being made.'),
  deleted: counter('retention_deleted_total', 'Snapshots that were deleted because newer ones replace them.'),
} as const;
