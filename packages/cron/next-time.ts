// SPDX-License-Identifier: Apache-2.0
import type { CalendarSchedule, Schedule } from './schedule.ts';
import { instantOf, utc, type TimeZone } from './time-zone.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const yearsSearched = 5;

/**
 * The first time a schedule runs after an instant, both in milliseconds since the epoch; undefined when that is not
 * within five years. The zone applies unless the expression names one.
 *
 * Guarantees: the same result as robfig/cron, which Kubernetes uses, also when clocks change: a time in the skipped
 * hour does not run that day, and a time in the repeated hour may run twice.
 */
export function nextTime(schedule: Schedule, after: number, zone: TimeZone = utc): number | undefined {
  const start = Math.floor(after / second) * second;
  if (schedule.type === 'interval') return start + schedule.milliseconds;
  return isNever(schedule) ? undefined : search(schedule, start + second, schedule.zone ?? zone);
}

/** A part of the wall clock time, from the largest to the smallest. */
interface Unit {
  matches(schedule: CalendarSchedule, wall: Date): boolean;
  /** The beginning of the unit that an instant is in. */
  startOf(instant: number, wall: Date, zone: TimeZone): number;
  /** The same instant one unit later. */
  advance(instant: number, wall: Date, zone: TimeZone): number;
  /** Whether the next larger unit has just begun, so that it must be matched again. */
  hasWrapped(wall: Date): boolean;
}

const units: readonly Unit[] = [
  {
    matches: ({ months }, wall) => months.has(wall.getUTCMonth() + 1),
    startOf: (_, wall, zone) => instantOf(zone, Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth())),
    advance: (_, wall, zone) => instantOf(zone, new Date(wall).setUTCMonth(wall.getUTCMonth() + 1)),
    hasWrapped: (wall) => wall.getUTCMonth() === 0,
  },
  {
    matches: isDay,
    startOf: (_, wall, zone) => instantOf(zone, Math.floor(wall.getTime() / day) * day),
    advance: (_, wall, zone) => nearestMidnight(instantOf(zone, wall.getTime() + day), zone),
    hasWrapped: (wall) => wall.getUTCDate() === 1,
  },
  {
    matches: ({ hours }, wall) => hours.has(wall.getUTCHours()),
    startOf: (_, wall, zone) => instantOf(zone, Math.floor(wall.getTime() / hour) * hour),
    advance: (instant) => instant + hour,
    hasWrapped: (wall) => wall.getUTCHours() === 0,
  },
  {
    matches: ({ minutes }, wall) => minutes.has(wall.getUTCMinutes()),
    startOf: (instant) => Math.floor(instant / minute) * minute,
    advance: (instant) => instant + minute,
    hasWrapped: (wall) => wall.getUTCMinutes() === 0,
  },
  {
    matches: (_, wall) => wall.getUTCSeconds() === 0,
    startOf: (instant) => instant,
    advance: (instant) => instant + second,
    hasWrapped: (wall) => wall.getUTCSeconds() === 0,
  },
];

function search(schedule: CalendarSchedule, start: number, zone: TimeZone): number | undefined {
  let instant = start;
  let wall = wallAt(zone, instant);
  let isRounded = false;
  const lastYear = wall.getUTCFullYear() + yearsSearched;

  /** Advances to the next match within the larger unit; returns whether there was one. */
  function matchUnit(unit: Unit): boolean {
    while (!unit.matches(schedule, wall)) {
      if (!isRounded) {
        isRounded = true;
        instant = unit.startOf(instant, wall, zone);
        wall = wallAt(zone, instant);
      }
      const next = unit.advance(instant, wall, zone);
      // In a zone that skips a whole day (Apia, 2011), the search would stay on the day before.
      instant = next > instant ? next : instant + day;
      wall = wallAt(zone, instant);
      if (unit.hasWrapped(wall)) return false;
    }
    return true;
  }

  while (wall.getUTCFullYear() <= lastYear) {
    if (units.every(matchUnit)) return instant;
  }
  return undefined;
}

/** Whether a field has no value at all, as in `, * * * *`. */
function isNever({ minutes, hours, daysOfMonth, daysOfWeek, months, eitherDay }: CalendarSchedule): boolean {
  const noDay = daysOfMonth.size === 0 && daysOfWeek.size === 0;
  const needed = eitherDay ? [minutes, hours, months] : [minutes, hours, months, daysOfMonth, daysOfWeek];
  return noDay || needed.some(({ size }) => size === 0);
}

function isDay({ daysOfMonth, daysOfWeek, eitherDay }: CalendarSchedule, wall: Date): boolean {
  const [ofMonth, ofWeek] = [daysOfMonth.has(wall.getUTCDate()), daysOfWeek.has(wall.getUTCDay())];
  return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
}

/** Where clocks change at midnight, a day after midnight is another hour. */
function nearestMidnight(instant: number, zone: TimeZone): number {
  const hours = wallAt(zone, instant).getUTCHours();
  return instant + (hours > 12 ? 24 - hours : -hours) * hour;
}

/** The wall clock's time at an instant, to be read by the UTC accessors. */
function wallAt(zone: TimeZone, instant: number): Date {
  return new Date(instant + zone.offsetAt(instant));
}
