// SPDX-License-Identifier: Apache-2.0
import { CronError } from './cron-error.ts';
import { parseGoDuration } from './go-duration.ts';
import { FieldError, parseField, type Field, type FieldValues } from './parse-field.ts';
import type { Schedule } from './schedule.ts';
import { timeZone, utc, type TimeZone } from './time-zone.ts';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields = [
  { name: 'minute', minimum: 0, maximum: 59 },
  { name: 'hour', minimum: 0, maximum: 23 },
  { name: 'day of month', minimum: 1, maximum: 31 },
  { name: 'month', minimum: 1, maximum: 12, names: monthNames },
  { name: 'day of week', minimum: 0, maximum: 6, names: dayNames },
] as const;

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** What Go treats as white space. */
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const outerSpace = new RegExp(`^${space.source}|${space.source}$`, 'g');

type Parsed = { schedule: Schedule; error?: undefined } | { schedule?: undefined; error: CronError };

/**
 * Parses a cron expression exactly as Kubernetes does (robfig/cron, standard parser): five fields, a descriptor such as
 * `@hourly`, or `@every 1h30m`, each optionally after `CRON_TZ=Europe/Berlin` or `TZ=`.
 */
export function parseCron(expression: string): Parsed {
  try {
    return { schedule: parse(expression) };
  } catch (error) {
    if (error instanceof CronError) return { error };
    throw error;
  }
}

function parse(expression: string): Schedule {
  if (expression === '') throw cronError(expression, 'fields', '', 'empty spec string', fiveFields);
  const prefix = /^(?:CRON_)?TZ=/.exec(expression)?.[0];
  if (prefix === undefined) return parseTimes(expression, expression, undefined);
  const end = expression.indexOf(' ');
  if (end < 0) {
    const panic = 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
    throw cronError(expression, 'time zone', expression, panic, `after the time zone and a space ${fiveFields}`);
  }
  const zone = zoneNamed(expression, expression.slice(prefix.length, end));
  return parseTimes(expression, expression.slice(end).replace(outerSpace, ''), zone);
}

/** The zone with this name; undefined for `Local`, which leaves the choice to the caller. */
function zoneNamed(expression: string, name: string): TimeZone | undefined {
  if (name === '') return utc;
  if (name === 'Local') return undefined;
  const zone = timeZone(name);
  if (zone !== undefined) return zone;
  const isPath = name.split(/[/\\]/).includes('..') || /^[/\\]/.test(name);
  const reason = isPath ? 'time: invalid location name' : `unknown time zone ${name}`;
  const remedy = 'use the IANA name of a time zone, as in CRON_TZ=Europe/Berlin';
  throw cronError(expression, 'time zone', name, `provided bad location ${name}: ${reason}`, remedy);
}

function parseTimes(expression: string, text: string, zone: TimeZone | undefined): Schedule {
  if (text.startsWith('@every ')) return parseInterval(expression, text);
  const words = descriptors.get(text) ?? text;
  if (words.startsWith('@')) {
    const remedy = `use one of ${[...descriptors.keys()].join(', ')} or @every with a duration`;
    throw cronError(expression, 'descriptor', text, `unrecognized descriptor: ${text}`, remedy);
  }
  const parts = words.split(space).filter((part) => part !== '');
  if (parts.length !== fields.length) {
    const reason = `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
    throw cronError(expression, 'fields', text, reason, fiveFields);
  }
  const values = (index: 0 | 1 | 2 | 3 | 4) => valuesOf(expression, parts[index] ?? '', fields[index]);
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = [values(0), values(1), values(2), values(3), values(4)];
  return {
    type: 'calendar',
    minutes: minutes.values,
    hours: hours.values,
    daysOfMonth: daysOfMonth.values,
    months: months.values,
    daysOfWeek: daysOfWeek.values,
    eitherDay: !daysOfMonth.isAny && !daysOfWeek.isAny,
    zone,
  };
}

function parseInterval(expression: string, text: string): Schedule {
  const duration = text.slice('@every '.length);
  const nanoseconds = parseGoDuration(duration);
  if (typeof nanoseconds === 'string') {
    const reason = `failed to parse duration ${text}: ${nanoseconds}`;
    throw cronError(expression, 'duration', duration, reason, 'use numbers with the units h, m and s, as in 1h30m');
  }
  return { type: 'interval', milliseconds: Math.max(Number(nanoseconds / 1_000_000_000n), 1) * 1000 };
}

function valuesOf(expression: string, text: string, field: Field): FieldValues {
  try {
    return parseField(text, field);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const { name, minimum, maximum, names } = field;
    const named = names === undefined ? '' : ` (or names, ${names.slice(0, 2).join(', ').toUpperCase()} …)`;
    const remedy = `use * or numbers from ${minimum} to ${maximum}${named}, as a list 1,2, a range 1-3 or with a step */2`;
    throw cronError(expression, name, text, error.message, remedy);
  }
}

const fiveFields = 'write five fields: minute, hour, day of month, month and day of week, as in "0 6 * * 1"';

function cronError(expression: string, field: string, value: string, reason: string, remedy: string): CronError {
  return new CronError({ expression, field, value, reason, remedy });
}
