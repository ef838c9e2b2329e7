// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';

const defaultInterval = minutes(60);

interface Refreshed extends KubeObject {
  spec: { refreshInterval?: string; refreshPolicy?: string };
  status?: { refreshTime?: string; syncedResourceVersion?: string };
}

/** The `syncedResourceVersion` of this object: it depends on spec, labels and annotations. */
export function syncedVersion({ metadata }: KubeObject): string {
  return `${metadata.generation ?? 0}-${hashOf([metadata.labels ?? {}, metadata.annotations ?? {}])}`;
}

/**
 * The time until the object is refreshed by its interval; undefined when the interval is 0, or the policy is another.
 */
export function untilRefresh({ spec, status }: Refreshed, clock: Clock): Duration | undefined {
  if ((spec.refreshPolicy ?? 'Periodic') !== 'Periodic') return undefined;
  const interval = parseDuration(spec.refreshInterval ?? '') ?? defaultInterval;
  if (interval === 0) return undefined;
  return milliseconds(Date.parse(status?.refreshTime ?? '') + interval - clock.now());
}

/** Whether spec, labels or annotations changed since the last sync, or there was none. */
export function isStale(object: Refreshed): boolean {
  return object.status?.syncedResourceVersion !== syncedVersion(object);
}

/** A short digest of a JSON value, independent of the order of fields. */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
