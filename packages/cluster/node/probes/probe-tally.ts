// SPDX-License-Identifier: Apache-2.0
import type { Probe } from '@forge/kube/generated/types.ts';

/** What the results of a probe so far amount to. */
export interface ProbeTally {
  /** What the probe says, once enough results agreed. */
  readonly verdict: boolean;
  /** The latest result, and how often it came in a row. */
  readonly latest?: boolean;
  readonly inARow: number;
}

/** The tally with one more result; the verdict changes only when as many agree as the probe's thresholds ask. */
export function tally(before: ProbeTally, result: boolean, probe: Probe): ProbeTally {
  const inARow = before.latest === result ? before.inARow + 1 : 1;
  const threshold = result ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
  return { verdict: inARow >= threshold ? result : before.verdict, latest: result, inARow };
}

/** Whether failures have reached the threshold. */
export function hasFailed({ latest, inARow }: ProbeTally, probe: Probe): boolean {
  return latest === false && inARow >= (probe.failureThreshold ?? 3);
}
