// SPDX-License-Identifier: Apache-2.0
import { formatGoDuration, parseGoDuration } from '@forge/cron/go-duration.ts';

const day = 86_400_000_000_000n;
const week = 7n * day;
const daily = '0 0 * * *';
const weekly = '0 0 * * 0';

/** The cron schedule of key rotations at this interval; throws when it has none. */
export function rotationSchedule(interval: string): string {
  const nanoseconds = parseGoDuration(interval);
  if (typeof nanoseconds === 'string') throw new Error(nanoseconds);
  if (nanoseconds === week) return weekly;
  if (nanoseconds > 0n && nanoseconds % day === 0n) return daily;
  const duration = formatGoDuration(nanoseconds);
  throw new Error(
    `unsupported rotation interval "${duration}": must be 168h (weekly) or a positive multiple of 24h (daily)`,
  );
}
