// SPDX-License-Identifier: Apache-2.0
import { median } from './measure.ts';

/** What stands for all rounds: the middle one, or the worst where none may be bad. */
type Statistic = 'min' | 'median' | 'max';

/** One measured figure, with what it should be and what it is compared with. */
export interface Figure {
  what: string;
  /** One sample a round. */
  samples: readonly number[];
  /** The median unless given. */
  statistic?: Statistic;
  /** `/s`, `µs`, `ms`, `×`. */
  unit: string;
  /** None where the figure only explains another. */
  goal?: { atLeast: number } | { atMost: number };
  /** The figure in words of something measured in the same run. */
  ratio?: string;
}

/** As many rounds as a figure with a goal has at least. */
const fewestRounds = 5;

/** The number that stands for the figure's rounds. */
export function valueOf({ what, samples, statistic, goal }: Figure): number {
  if (goal !== undefined && samples.length < fewestRounds) {
    throw new Error(`"${what}" has a goal and ${samples.length} rounds: it needs at least ${fewestRounds}`);
  }
  if (statistic === 'min') return Math.min(...samples);
  return statistic === 'max' ? Math.max(...samples) : median(samples);
}

/** Whether the figure is as good as this. */
export function reaches(figure: Figure, goal: Figure['goal']): boolean {
  if (goal === undefined) return true;
  return 'atLeast' in goal ? valueOf(figure) >= goal.atLeast : valueOf(figure) <= goal.atMost;
}

/** The figure as a line for the reader. */
export function lineOf(figure: Figure): string {
  const { what, samples, statistic = 'median', unit, goal, ratio = '' } = figure;
  const mark = goal === undefined ? ' ' : reaches(figure, goal) ? '✓' : '✗';
  const value = `${spoken(valueOf(figure))} ${unit}`.padStart(12);
  const rounds = `${statistic} of ${samples.length}`.padEnd(13);
  return `${mark} ${what.padEnd(56)} ${value}  ${rounds} ${goalText(goal).padEnd(9)} ${ratio}`.trimEnd();
}

/** The goal as the reader sees it: `≥ 0.75`. */
export function goalText(goal: Figure['goal']): string {
  if (goal === undefined) return '';
  return 'atLeast' in goal ? `≥ ${spoken(goal.atLeast)}` : `≤ ${spoken(goal.atMost)}`;
}

function spoken(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
