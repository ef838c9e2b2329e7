// SPDX-License-Identifier: Apache-2.0
import type { Meter } from '../values/meter.ts';
import { duration, int, string, timestamp } from '../values/type.ts';
import { type Duration, EvalError, type Result, type Timestamp } from '../values/value.ts';
import { defineMember, type Overload } from './overload.ts';

const readers: Readonly<Record<string, (time: Date) => number>> = {
  getFullYear: (time) => time.getUTCFullYear(),
  getMonth: (time) => time.getUTCMonth(),
  getDayOfYear: (time) => (startOfDay(time) - Date.UTC(time.getUTCFullYear(), 0, 1)) / 86_400_000,
  getDayOfMonth: (time) => time.getUTCDate() - 1,
  getDate: (time) => time.getUTCDate(),
  getDayOfWeek: (time) => time.getUTCDay(),
  getHours: (time) => time.getUTCHours(),
  getMinutes: (time) => time.getUTCMinutes(),
  getSeconds: (time) => time.getUTCSeconds(),
  getMilliseconds: (time) => time.getUTCMilliseconds(),
};

const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / 86_400_000) * 86_400_000;
}

function dateOf({ nanoseconds }: Timestamp, offset = 0): Date {
  const part = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return new Date(Number((nanoseconds - part) / 1_000_000n) + offset * 60_000);
}

/** The UTC offset in minutes of a time zone (`Europe/Berlin`, `+02:00`). */
function offsetAt(zone: string, time: Date): number | EvalError {
  if (zone === '' || zone === 'UTC') return 0;
  if (zone.includes(':')) {
    const [, sign, hours, minutes] = /^([+-]?)(\d+):(\d+)$/.exec(zone) ?? [];
    if (hours === undefined) return new EvalError(`strconv.Atoi: parsing "${zone}": invalid syntax`);
    return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
    return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  } catch {
    return new EvalError(`unknown time zone ${zone}`);
  }
}

/** Accessors of timestamps, in UTC or a time zone, and of durations. */
export const times: readonly Overload[] = [
  ...Object.entries(readers).flatMap(([name, read]) => [
    defineMember(name, [timestamp], int, (time: Timestamp) => BigInt(read(dateOf(time)))),
    defineMember(name, [timestamp, string], int, (time: Timestamp, zone: string, meter: Meter): Result => {
      // Time zone lookups take far longer than other functions of unit cost.
      meter.work(1000);
      const offset = offsetAt(zone, dateOf(time));
      return offset instanceof EvalError ? offset : BigInt(read(dateOf(time, offset)));
    }),
  ]),
  ...Object.entries(units).map(([name, unit]) =>
    defineMember(name, [duration], int, ({ nanoseconds }: Duration) => nanoseconds / unit),
  ),
];
