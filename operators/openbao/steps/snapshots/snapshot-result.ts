// SPDX-License-Identifier: Apache-2.0
import { formatGoDuration } from '@forge/cron/go-duration.ts';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import { annotations } from '../../api/names.ts';
import type { BackupStatus } from './backup-context.ts';

/** What became of a snapshot that is stored. */
export interface SnapshotResult {
  readonly stored: Pick<BackupStatus, 'lastBackupTime' | 'lastBackupName' | 'lastBackupSize' | 'lastBackupDuration'>;
  /** How many older ones were deleted. */
  readonly deleted: number;
}

const nanoseconds = 1_000_000_000;

/** What a Job that is complete has done, by its termination message; of one whose pod is gone, what the Job itself tells. */
export function snapshotResult({ metadata, status = {} }: Job, output: string | undefined): SnapshotResult {
  const said = jsonIn(output);
  const { startTime, completionTime = startTime } = status;
  const name = textIn(said['key']) ?? metadata.annotations?.[annotations.backupKey];
  const size = numberIn(said['bytes']);
  const took = numberIn(said['seconds']) ?? (Date.parse(completionTime ?? '') - Date.parse(startTime ?? '')) / 1000;
  return {
    stored: {
      ...(completionTime !== undefined && { lastBackupTime: completionTime }),
      ...(name !== undefined && { lastBackupName: name }),
      ...(size !== undefined && { lastBackupSize: Math.round(size) }),
      ...(took >= 0 && {
        lastBackupDuration: formatGoDuration(BigInt(Math.round(took * 1000)) * BigInt(nanoseconds / 1000)),
      }),
    },
    deleted: numberIn(said['deleted']) ?? 0,
  };
}

function jsonIn(text = ''): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const numberIn = (value: unknown) =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
