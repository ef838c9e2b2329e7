// SPDX-License-Identifier: Apache-2.0
import { nextTime } from '@forge/cron/next-time.ts';
import type { Schedule } from '@forge/cron/schedule.ts';
import type { CronJob } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';

/** More missed times than this are reported: the clock or the schedule is probably wrong. */
const manyMissed = 100;
/** A small delay after each scheduled time, for clocks that differ a little. */
const afterScheduledTime = milliseconds(100);

/** The scheduled times missed since a CronJob last ran, in milliseconds since the epoch. */
interface MissedTimes {
  /** The start of the search: the last run, the creation, or the starting deadline. */
  since: number;
  /** The latest scheduled time that has passed. */
  latest?: number;
  count: number;
}

/** A time at which a Job is due, and whether so many were missed before that it is reported. */
export interface DueTime {
  time?: number;
  tooMany: boolean;
}

/** A valid schedule that never occurs, such as 31 February. */
export class ImpossibleSchedule extends Error {
  override readonly name = 'ImpossibleSchedule';
  constructor() {
    super('time difference between two schedules is less than 1 second');
  }
}

/** The latest scheduled time since the last run that is not older than the starting deadline. */
export function dueTime(cronJob: CronJob, schedule: Schedule, now: number): DueTime {
  const { latest, count } = missedTimes(cronJob, schedule, now, cronJob.spec.startingDeadlineSeconds);
  return { ...(latest !== undefined && { time: latest }), tooMany: latest !== undefined && count > manyMissed };
}

/** The time until the next scheduled time that has not passed. */
export function untilNext(cronJob: CronJob, schedule: Schedule, now: number): Duration | undefined {
  const next = nextTime(schedule, lastOrNow(cronJob, schedule, now));
  return next === undefined ? undefined : milliseconds(next + afterScheduledTime - now);
}

function lastOrNow(cronJob: CronJob, schedule: Schedule, now: number): number {
  try {
    const { since, latest, count } = missedTimes(cronJob, schedule, now);
    return latest ?? (count === 0 ? since : now);
  } catch (error) {
    if (error instanceof ImpossibleSchedule) return now;
    throw error;
  }
}

function missedTimes({ metadata, status }: CronJob, schedule: Schedule, now: number, deadline?: number): MissedTimes {
  const last = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const since = deadline === undefined ? last : Math.max(last, now - seconds(deadline));
  const first = nextTime(schedule, since);
  const second = first === undefined ? undefined : nextTime(schedule, first);
  if (first !== undefined && now < first) return { since, count: 0 };
  if (first !== undefined && second !== undefined && now < second) return { since, latest: first, count: 0 };
  if (first === undefined || second === undefined || second - first < seconds(1)) throw new ImpossibleSchedule();

  // An estimate that skips over most of the missed times: there may be years of them.
  const interval = second - first;
  const count = Math.floor((now - first) / interval) + 1;
  let latest: number | undefined;
  let time = nextTime(schedule, first + (count - 2) * interval);
  while (time !== undefined && time <= now) {
    latest = time;
    time = nextTime(schedule, time);
  }
  return { since, count, ...(latest !== undefined && { latest }) };
}
