// SPDX-License-Identifier: Apache-2.0
import { milliseconds, type Duration } from './duration.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration in Go's format (`1h30m`, `1.5s`, `0`); undefined when it is invalid. */
export function parseDuration(text: string): Duration | undefined {
  if (text === '0') return milliseconds(0);
  if (!/^(\d+(\.\d+)?(ms|[smh]))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)([a-z]+)/g);
  return milliseconds([...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0));
}
