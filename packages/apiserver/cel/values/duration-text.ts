// SPDX-License-Identifier: Apache-2.0
import { parseGoDuration } from '@forge/cron/go-duration.ts';
import { Duration } from './value.ts';

/** Parses a Go duration: `1h30m`, `-1.5s`, `0`; undefined when it is invalid or out of range. */
export function parseDuration(text: string): Duration | undefined {
  const nanoseconds = parseGoDuration(text);
  return typeof nanoseconds === 'string' ? undefined : new Duration(nanoseconds);
}

const words: readonly [RegExp, bigint][] = [
  [/^(?:ns|nano.*)$/, 1n],
  [/^(?:us|µs|micro.*)$/, 1_000n],
  [/^(?:ms|milli.*)$/, 1_000_000n],
  [/^(?:s|sec.*)$/, 1_000_000_000n],
  [/^(?:m|min.*)$/, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/, 3_600_000_000_000n],
  [/^(?:d|day.*)$/, 86_400_000_000_000n],
  [/^(?:w|wk|week.*)$/, 604_800_000_000_000n],
];

/** Parses a duration of the schema format, which also allows `2 days`. */
export function parseSchemaDuration(text: string): Duration | undefined {
  const exact = parseDuration(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const [, count = '0', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    for (const [unit, scale] of words) {
      if (unit.test(word.toLowerCase())) total = (total ?? 0n) + BigInt(count) * scale;
    }
  }
  return total === undefined ? undefined : within(total);
}

/** Formats a duration in seconds: `90s`, `0.5s`. */
export function formatDuration({ nanoseconds }: Duration): string {
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(magnitude % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${magnitude / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

function within(nanoseconds: bigint): Duration | undefined {
  return BigInt.asIntN(64, nanoseconds) === nanoseconds ? new Duration(nanoseconds) : undefined;
}
