// SPDX-License-Identifier: Apache-2.0

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const days = 'sun mon tue wed thu fri sat'.split(' ');

/** A field of a schedule: its range, and names that stand for numbers from its beginning on. */
interface Field {
  minimum: number;
  maximum: number;
  names?: readonly string[];
}

const schedule: readonly Field[] = [
  { minimum: 0, maximum: 59 },
  { minimum: 0, maximum: 23 },
  { minimum: 1, maximum: 31 },
  { minimum: 1, maximum: 12, names: months },
  { minimum: 0, maximum: 6, names: days },
];

const descriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** What is wrong with a schedule, in the words of Kubernetes' parser; undefined when nothing is. */
export function cronProblem(text: string): string | undefined {
  const [, zone, rest = ''] = /^(?:CRON_)?TZ=(\S*)\s*(.*)$/.exec(text) ?? [];
  if (zone !== undefined) {
    const problem = timeZoneProblem(zone);
    return problem === undefined ? cronProblem(rest) : `provided bad location ${zone}: ${problem}`;
  }
  if (text.startsWith('@')) return descriptorProblem(text);
  const fields = text.trim().split(/\s+/);
  if (fields.length !== schedule.length) {
    return `expected exactly ${schedule.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  return first(schedule, (field, index) => first(fields[index]?.split(',') ?? [], (part) => rangeProblem(part, field)));
}

/** What is wrong with the name of a time zone; undefined when nothing is. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === '') return 'timeZone must be nil or non-empty string';
  if (/^local$/i.test(zone))
    return 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return `unknown time zone ${zone}`;
  }
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  const [, duration] = /^@every (.*)$/.exec(text) ?? [];
  if (duration === undefined) return `unrecognized descriptor: ${text}`;
  if (/^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$|^0$/.test(duration)) return undefined;
  const why = /^\d+(?:\.\d*)?$/.test(duration) ? 'missing unit in' : 'invalid';
  return `failed to parse duration ${text}: time: ${why} duration ${JSON.stringify(duration)}`;
}

/** `*`, `5`, `1-5`, each perhaps with a step behind a slash. */
function rangeProblem(text: string, { minimum, maximum, names = [] }: Field): string | undefined {
  const [range = '', step, ...moreSteps] = text.split('/');
  const [from = '', to, ...moreEnds] = range.split('-');
  if (moreEnds.length > 0) return `too many hyphens: ${text}`;
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  const isAll = from === '*' || from === '?';
  const problem = first(isAll ? [] : [from, to ?? from], (word) => numberProblem(word, names));
  if (problem !== undefined) return problem;
  const start = isAll ? minimum : numberOf(from, minimum, names);
  const end = isAll || (to === undefined && step !== undefined) ? maximum : numberOf(to ?? from, minimum, names);
  const size = step === undefined ? 1 : Number(step);
  if (step !== undefined && !/^\d+$/.test(step)) return numberProblem(step, []);
  if (start < minimum) return `beginning of range (${start}) below minimum (${minimum}): ${text}`;
  if (end > maximum) return `end of range (${end}) above maximum (${maximum}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return size === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function numberProblem(word: string, names: readonly string[]): string | undefined {
  if (/^\d+$/.test(word) || names.includes(word.toLowerCase())) return undefined;
  return `failed to parse int from ${word}: strconv.Atoi: parsing ${JSON.stringify(word)}: invalid syntax`;
}

function numberOf(word: string, minimum: number, names: readonly string[]): number {
  const place = names.indexOf(word.toLowerCase());
  return place < 0 ? Number(word) : minimum + place;
}

/** The first problem there is. */
function first<T>(items: readonly T[], problemOf: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
