// SPDX-License-Identifier: Apache-2.0

/** A time zone's wall clock; instants are milliseconds since the epoch. */
export interface TimeZone {
  readonly name: string;
  /** How far the wall clock is ahead of UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number;
}

/** Coordinated universal time. */
export const utc: TimeZone = { name: 'UTC', offsetAt: () => 0 };

/** A cache: a formatter takes longer to create than to use, and the number of names is limited. */
const zones = new Map<string, TimeZone>();

/** The time zone with exactly this IANA name, also in its case; undefined when there is none. */
export function timeZone(name: string): TimeZone | undefined {
  if (name === utc.name) return utc;
  const zone = zones.get(name) ?? ianaZone(name);
  if (zone !== undefined) zones.set(name, zone);
  return zone;
}

/**
 * The instant at which a zone's wall clock shows a time, given as if it were UTC. For a repeated time it is one of the
 * two instants, for a skipped one an instant nearby: those that Go's time.Date chooses.
 */
export function instantOf(zone: TimeZone, wall: number): number {
  const guess = zone.offsetAt(wall);
  return guess === 0 ? wall : wall - zone.offsetAt(wall - guess);
}

function ianaZone(name: string): TimeZone | undefined {
  const format = formatOf(name);
  if (format === undefined) return undefined;
  const { timeZone: canonical } = format.resolvedOptions();
  // Intl ignores case; a file system and Go do not.
  if (canonical !== name && canonical.toLowerCase() === name.toLowerCase()) return undefined;
  return { name, offsetAt: cachedOffsets((instant) => wallClock(format, instant) - instant) };
}

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  // Intl also accepts offsets (+01:00), which are not names.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  const numbers = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', year: 'numeric', ...numbers });
  } catch {
    return undefined;
  }
}

/** What the wall clock shows, as if it were UTC. */
function wallClock(format: Intl.DateTimeFormat, instant: number): number {
  const shown = format.format(instant).match(/\d+/g)?.map(Number) ?? [];
  const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** No zone changes its offset and changes it back within a week. */
const period = 7 * 24 * 3_600_000;
const maxPeriods = 1000;

/** Two offsets, and the instant from which the second applies. */
interface Offsets {
  before: number;
  after: number;
  change: number;
}

function cachedOffsets(offsetAt: (second: number) => number): (instant: number) => number {
  const periods = new Map<number, Offsets>();

  function offsetsIn(index: number): Offsets {
    let [low, high] = [index * period, (index + 1) * period];
    const [before, after] = [offsetAt(low), offsetAt(high)];
    if (before === after) return { before, after, change: high };
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return { before, after, change: high };
  }

  return (instant) => {
    const index = Math.floor(instant / period);
    let offsets = periods.get(index);
    if (offsets === undefined) {
      if (periods.size > maxPeriods) periods.clear();
      offsets = offsetsIn(index);
      periods.set(index, offsets);
    }
    return instant < offsets.change ? offsets.before : offsets.after;
  };
}
