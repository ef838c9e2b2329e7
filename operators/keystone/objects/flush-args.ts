// SPDX-License-Identifier: Apache-2.0

/** The parsed arguments that users add to `keystone-manage trust_flush`. */
interface FlushArgs {
  /** As the command takes them. */
  rendered: string[];
  /** Options that the command does not know, left out with their values. */
  dropped: string[];
  /** Values of `--date` that are no dates, and which argument each of them is. */
  invalidDates: { index: number; value: string }[];
}

const unknownOptions = ['--keystone-user', '--keystone-group'];

/** Reads the arguments: dates as the command wants them, DD-MM-YYYY, and nothing that would fail every run. */
export function readFlushArgs(args: readonly string[]): FlushArgs {
  const read: FlushArgs = { rendered: [], dropped: [], invalidDates: [] };
  for (let index = 0; index < args.length; index++) {
    const [option, joined] = split(args[index] ?? '');
    const takesValue = option === '--date' || unknownOptions.includes(option);
    if (takesValue && joined === undefined) index++;
    const value = joined ?? args[index] ?? '';
    if (unknownOptions.includes(option)) read.dropped.push(option);
    else if (option !== '--date') read.rendered.push(args[index] ?? '');
    else {
      const date = dateOf(value);
      if (date === undefined) read.invalidDates.push({ index: Math.min(index, args.length - 1), value });
      read.rendered.push('--date', date ?? value);
    }
  }
  return read;
}

/** An option and the value it is joined to by `=`. */
function split(argument: string): [option: string, value?: string] {
  const equals = argument.indexOf('=');
  return equals < 0 ? [argument] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

/** DD-MM-YYYY of a date in either order; undefined when there is no such day. */
function dateOf(text: string): string | undefined {
  const dayFirst = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text);
  const iso = dayFirst === null ? text : `${dayFirst[3]}-${dayFirst[2]}-${dayFirst[1]}`;
  if (!/^\d{4}-\d\d-\d\d$/.test(iso) || !isDay(iso)) return undefined;
  return iso.split('-').toReversed().join('-');
}

/** Whether the calendar has the day: Date rolls 30 February over into March. */
function isDay(iso: string): boolean {
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(iso);
}
