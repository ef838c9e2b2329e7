// SPDX-License-Identifier: Apache-2.0
import type { Duration } from '../environment/duration.ts';
import { recheckOf } from '../steps/outcome.ts';
import type { StepResult } from './run-steps.ts';

/** The errors of the steps of a pass: with any of them, the key is retried with exponential backoff. */
export function faultsOf(results: ReadonlyMap<{ readonly name: string }, StepResult>): unknown[] {
  return [...results].flatMap(([step, result]) => faultOf(step.name, result));
}

function faultOf(step: string, result: StepResult): unknown[] {
  switch (result.outcome) {
    case 'threw':
      return [new Error(`step ${step} threw: ${messageOf(result.error)}`, { cause: result.error })];
    case 'failed':
      return [new Error(`step ${step} failed: ${result.text.message}`, { cause: result.cause })];
    case 'ready':
    case 'degraded':
    case 'waiting':
    case 'blocked':
    case 'requeueNow':
    case 'checkpoint':
    case 'skipped':
      return [];
  }
}

/** When the pass is repeated although nothing changes; undefined if not at all. */
export function shortestRecheck(results: Iterable<StepResult>): Duration | undefined {
  const rechecks = [...results].flatMap((result) => recheckOfResult(result) ?? []);
  return rechecks.filter((wish) => wish !== 'backoff').toSorted((a, b) => a - b)[0];
}

/** When the result requests another pass without a change. */
export function recheckOfResult(result: StepResult): Duration | 'backoff' | undefined {
  if (result.outcome === 'skipped') return result.text?.recheck;
  return result.outcome === 'threw' ? undefined : recheckOf(result);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
