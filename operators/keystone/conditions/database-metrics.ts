// SPDX-License-Identifier: Apache-2.0
import type { Counter, Histogram } from '@forge/runtime/observability/metrics.ts';

/** How many Jobs on the database have ended, and how. */
export const databaseJobs: Counter<'keystone' | 'namespace' | 'result'> = {
  type: 'counter',
  name: 'keystone_operator_db_sync_total',
  help: 'Jobs on the database that have ended.',
  labels: ['keystone', 'namespace', 'result'],
};

/** How long they took. */
export const databaseJobDuration: Histogram<'keystone' | 'namespace'> = {
  type: 'histogram',
  name: 'keystone_operator_db_sync_duration_seconds',
  help: 'Time from the creation of a Job on the database to its end.',
  labels: ['keystone', 'namespace'],
  buckets: [1, 5, 10, 30, 60, 120, 300, 600],
};
