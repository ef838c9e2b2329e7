// SPDX-License-Identifier: Apache-2.0

/** An inclusive range of numbers. */
export interface Range {
  from: number;
  to: number;
}

/** The same numbers in ascending ranges that are neither overlapping nor adjacent. */
export function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** A range without the numbers of others. */
export function without(range: Range, others: readonly Range[]): Range[] {
  const result: Range[] = [];
  let { from } = range;
  for (const other of merged(others)) {
    if (other.from > from) result.push({ from, to: Math.min(other.from - 1, range.to) });
    from = Math.max(from, other.to + 1);
    if (from > range.to) return result;
  }
  return [...result, { from, to: range.to }];
}
