// SPDX-License-Identifier: Apache-2.0
import { isSnapshotKey, snapshotTime } from '../api/executor/snapshot-key.ts';
import type { RetentionSettings } from './backup-settings.ts';
import type { StoredObject } from './snapshot-storage.ts';

/** The keys of snapshots that are kept no longer; never the one that has just been made, nor an object that is no snapshot. */
export function expiredSnapshots(
  objects: readonly StoredObject[],
  { maxCount, maxAge, prefix, made, now }: RetentionSettings & { prefix: string; made: string; now: number },
): string[] {
  const others = objects
    .filter(({ key }) => isSnapshotKey(key, prefix) && key !== made)
    .map(({ key, modifiedAt }) => ({ key, time: snapshotTime(key) ?? modifiedAt }))
    .toSorted((one, other) => other.time - one.time || (one.key < other.key ? 1 : -1));
  return others
    .filter(
      ({ time }, index) => (maxCount > 0 && index + 1 >= maxCount) || (maxAge !== undefined && now - time > maxAge),
    )
    .map(({ key }) => key);
}
