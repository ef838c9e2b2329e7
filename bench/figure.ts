// SPDX-License-Identifier: Apache-2.0

/** One measured figure, with what it should be and what it is compared with. */
export interface Figure {
  what: string;
  value: number;
  /** `/s`, `µs`, `ms`, `×`. */
  unit: string;
  /** None where the figure only explains another. */
  goal?: { atLeast: number } | { atMost: number };
  /** The figure in words of something measured in the same run. */
  ratio?: string;
}

/** Whether the figure is as good as it should be. */
export function isMet({ value, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The figure as a line for the reader. */
export function lineOf(figure: Figure): string {
  const { what, value, unit, goal, ratio = '' } = figure;
  const wanted = goal === undefined ? '' : 'atLeast' in goal ? `≥ ${spoken(goal.atLeast)}` : `≤ ${spoken(goal.atMost)}`;
  const mark = goal === undefined ? ' ' : isMet(figure) ? '✓' : '✗';
  return `${mark} ${what.padEnd(52)} ${`${spoken(value)} ${unit}`.padStart(12)}  ${wanted.padEnd(9)} ${ratio}`.trimEnd();
}

function spoken(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
