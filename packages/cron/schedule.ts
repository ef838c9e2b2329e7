// SPDX-License-Identifier: Apache-2.0
import type { TimeZone } from './time-zone.ts';

/** When to run: at certain wall clock times, or at a fixed interval. */
export type Schedule = CalendarSchedule | IntervalSchedule;

/** Runs at the wall clock times whose parts are in all of these sets. */
export interface CalendarSchedule {
  readonly type: 'calendar';
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** Sunday is 0. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** Whether days of month and days of week are both restricted: then a day matches when one of them does. */
  readonly eitherDay: boolean;
  /** The zone named in the expression; undefined when the caller chooses it. */
  readonly zone: TimeZone | undefined;
}

/** Runs again after a whole number of seconds. */
interface IntervalSchedule {
  readonly type: 'interval';
  readonly milliseconds: number;
}
