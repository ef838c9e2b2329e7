// SPDX-License-Identifier: Apache-2.0
import { median } from './measure.ts';

/** How rounds are summarized: by the median, or by the worst when every round must be good. */
type Statistic = 'min' | 'median' | 'max';

/** One measured figure, with its goal and its comparison. */
export interface Figure {
  what: string;
  /** One sample per round. */
  samples: readonly number[];
  /** Default: median. */
  statistic?: Statistic;
  /** `/s`, `µs`, `ms`, `×`. */
  unit: string;
  /** Absent for figures that only explain others. */
  goal?: { atLeast: number } | { atMost: number };
  /** The figure relative to something measured in the same run. */
  ratio?: string;
}

/** Prints why a benchmark is skipped; returns no figures. */
export function skipped(reason: string): Figure[] {
  console.log(`  skipped: ${reason}`);
  return [];
}

/** The minimum number of rounds of a figure with a goal. */
const minRounds = 5;

/** The number that summarizes the figure's rounds. */
export function valueOf({ what, samples, statistic, goal }: Figure): number {
  if (goal !== undefined && samples.length < minRounds) {
    throw new Error(`"${what}" has a goal and ${samples.length} rounds: it needs at least ${minRounds}`);
  }
  if (statistic === 'min') return Math.min(...samples);
  return statistic === 'max' ? Math.max(...samples) : median(samples);
}

/** Whether the figure meets this goal. */
export function reaches(figure: Figure, goal: Figure['goal']): boolean {
  if (goal === undefined) return true;
  return 'atLeast' in goal ? valueOf(figure) >= goal.atLeast : valueOf(figure) <= goal.atMost;
}

/** The figure as a line of output. */
export function lineOf(figure: Figure): string {
  const { what, samples, statistic = 'median', unit, goal, ratio = '' } = figure;
  const mark = goal === undefined ? ' ' : reaches(figure, goal) ? '✓' : '✗';
  const value = `${formatted(valueOf(figure))} ${unit}`.padStart(12);
  const rounds = `${statistic} of ${samples.length}`.padEnd(13);
  return `${mark} ${what.padEnd(56)} ${value}  ${rounds} ${goalText(goal).padEnd(9)} ${ratio}`.trimEnd();
}

/** The goal as text: `≥ 0.75`. */
export function goalText(goal: Figure['goal']): string {
  if (goal === undefined) return '';
  return 'atLeast' in goal ? `≥ ${formatted(goal.atLeast)}` : `≤ ${formatted(goal.atMost)}`;
}

function formatted(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
