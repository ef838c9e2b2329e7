// SPDX-License-Identifier: Apache-2.0
import type { Probe } from '@forge/kube/generated/types.ts';

/** The state of a probe after its results so far. */
export interface ProbeTally {
  /** The current verdict, by the thresholds. */
  readonly verdict: boolean;
  /** The latest result, and how often it was repeated. */
  readonly latest?: boolean;
  readonly inARow: number;
}

/** The state after one more result; the verdict changes when a threshold is reached. */
export function tally(before: ProbeTally, result: boolean, probe: Probe): ProbeTally {
  const inARow = before.latest === result ? before.inARow + 1 : 1;
  const threshold = result ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
  return { verdict: inARow >= threshold ? result : before.verdict, latest: result, inARow };
}

/** Whether failureThreshold is reached. */
export function hasFailed({ latest, inARow }: ProbeTally, probe: Probe): boolean {
  return latest === false && inARow >= (probe.failureThreshold ?? 3);
}
