// SPDX-License-Identifier: Apache-2.0
import type { Gauge } from '@forge/runtime/observability/metrics.ts';

const labels = ['keystone', 'namespace', 'key_type'] as const;

/** Time since the last rotation; absent before the first one. */
export const keyRotationAge: Gauge<(typeof labels)[number]> = {
  type: 'gauge',
  name: 'keystone_operator_key_rotation_age_seconds',
  help: 'Time since the last completed rotation of the keys.',
  labels,
};

/** Whether the secret store holds a copy of the keys. */
export const backupReady: Gauge<(typeof labels)[number]> = {
  type: 'gauge',
  name: 'keystone_operator_backup_ready',
  help: 'Whether External Secrets reports the backup of the keys as synced: 1 or 0, also when there is no backup.',
  labels,
};
