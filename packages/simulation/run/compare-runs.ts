// SPDX-License-Identifier: Apache-2.0
import type { Snapshot } from '@forge/apiserver/storage/store.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { repeated, type ChangeLog } from '../outcome/change-log.ts';
import { outcomeDifferences, type Outcome } from '../outcome/outcome.ts';
import type { Scenario, ScenarioRun } from '../scenario/scenario.ts';
import { handsIn, mayDifferAfterHands, restoredWithNewData, type Hands } from './hands.ts';

/** What of a run is compared. */
interface ComparedRun extends Outcome {
  readonly changeCounts: ChangeLog['counts'];
}

/** The differences of a run and the baseline run, one per line, except those that its faults explain. */
export function differencesOf(
  wanted: ComparedRun,
  found: ComparedRun & { faults: readonly Fault[]; end: Snapshot },
  { scenario, scenarioRun, hands }: { scenario: Scenario; scenarioRun: ScenarioRun; hands: Hands },
): string[] {
  const { faults, end } = found;
  if (hands.lost.size > 0) return restoredWithNewData(end, hands.lost);
  const { manualChanges = { controllers: [] } } = scenario;
  const differsAfterHands = mayDifferAfterHands(faults, manualChanges, hands);
  const mayDiffer = (key: string) => differsAfterHands(key) || isKept(key, scenario, faults);
  const skipsStates = maySkipSteps(scenarioRun, faults) || wasRecreated(scenario, wanted, found);
  const differences = outcomeDifferences(wanted, found, { skipsStates, mayDiffer });
  // What a person deletes is recreated.
  if (handsIn(faults).length > 0) return differences;
  return [...differences, ...repeated(wanted.changeCounts, found.changeCounts, mayRepeat(scenario, faults))];
}

/**
 * Whether a process may observe the result of several user steps at once and miss states in between; manual changes can
 * have the same effect.
 */
function maySkipSteps({ steps }: ScenarioRun, faults: readonly Fault[]): boolean {
  return handsIn(faults).length > 0 || (steps.length > 1 && faults.some(({ fault }) => fault === 'hold'));
}

/** Whether an object was recreated that a dependency had given up on; an id given to it is another one. */
function wasRecreated({ recreatedAfterOutage }: Scenario, wanted: ComparedRun, found: ComparedRun): boolean {
  const isOther = (key: string) => recreatedAfterOutage?.test(key) !== true;
  return repeated(wanted.changeCounts, found.changeCounts, isOther).length > 0;
}

/** Whether an object may remain because it lost its owner while a process was down. */
function isKept(key: string, { keptAfterCrash }: Scenario, faults: readonly Fault[]): boolean {
  return (
    faults.some(({ fault }) => fault === 'crash' || fault === 'crash-at-call') && keptAfterCrash?.test(key) === true
  );
}

/** Objects that may be recreated: those of others, and after failed calls those that a dependency has given up on. */
function mayRepeat(
  { createdByOthers, recreatedAfterOutage }: Scenario,
  faults: readonly Fault[],
): (key: string) => boolean {
  const hasOutage = faults.some((each) => each.fault === 'outage' || losesReply(each));
  return (key) => createdByOthers?.test(key) === true || (hasOutage && recreatedAfterOutage?.test(key) === true);
}

function losesReply(each: Fault): boolean {
  return each.fault === 'lost-reply' || (each.fault === 'crash-at-call' && each.when === 'after');
}
