// SPDX-License-Identifier: Apache-2.0
import type { Snapshot } from '@forge/apiserver/storage/store.ts';
import { currentState, type Comparability } from './current-state.ts';
import { differences, endState, type EndState } from './end-state.ts';

/** What a run left behind. */
export interface Outcome {
  /** What changed since its start. */
  readonly endState: EndState;
  /** Everything, without traces of how it got there. */
  currentState(): EndState;
}

/** The outcome of a run that failed before its end. */
export const noOutcome: Outcome = { endState: new Map(), currentState: () => new Map() };

/** The outcome of a run between these snapshots; `outside` is the external state. */
export function outcomeOf(start: Snapshot, end: Snapshot, outside: unknown, comparability: Comparability): Outcome {
  return {
    endState: endState(start, end, outside, comparability.incomparable),
    currentState: () => currentState(end, outside, comparability),
  };
}

/** The differences of two outcomes, one per line; `skipsStates` when the run need not have gone through the same states. */
export function outcomeDifferences(wanted: Outcome, found: Outcome, skipsStates: boolean): string[] {
  return skipsStates
    ? differences(wanted.currentState(), found.currentState())
    : differences(wanted.endState, found.endState);
}
