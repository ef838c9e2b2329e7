// SPDX-License-Identifier: Apache-2.0
import type { Snapshot } from '@forge/apiserver/storage/store.ts';
import { currentState, type Comparability } from './current-state.ts';
import { differences, endState, type EndState } from './end-state.ts';

/** The state at the end of a run. */
export interface Outcome {
  /** What changed since its start. */
  readonly endState: EndState;
  /** Everything, without traces of earlier states. */
  currentState(): EndState;
}

/** The outcome of a run that failed before its end. */
export const noOutcome: Outcome = { endState: new Map(), currentState: () => new Map() };

/** The outcome of a run between these snapshots; `outside` is the external state. */
export function outcomeOf(start: Snapshot, end: Snapshot, outside: unknown, comparability: Comparability): Outcome {
  let current: EndState | undefined;
  return {
    endState: endState(start, end, outside, comparability),
    // Many runs are compared with that of the baseline.
    currentState: () => (current ??= currentState(end, outside, comparability)),
  };
}

/** Which differences between two outcomes are tolerated. */
interface Tolerance {
  /** Whether the run may have skipped intermediate states. */
  skipsStates: boolean;
  /** Whether the object of this key may differ. */
  mayDiffer: (key: string) => boolean;
}

/** The differences of two outcomes, one per line. */
export function outcomeDifferences(wanted: Outcome, found: Outcome, { skipsStates, mayDiffer }: Tolerance): string[] {
  const stateOf = (outcome: Outcome): EndState => {
    const state = skipsStates ? outcome.currentState() : outcome.endState;
    return new Map([...state].filter(([key]) => !mayDiffer(key)));
  };
  return differences(stateOf(wanted), stateOf(found));
}
