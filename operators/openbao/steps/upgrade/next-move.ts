// SPDX-License-Identifier: Apache-2.0
// The decision of an upgrade: from what status remembers and what is observed to what happens next, and nothing else. Status moves
// before what it announces is done, so that whoever comes after a crash knows what may have happened.
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { isSameVersion, leaderOf, obstacleToLosing, outOfSync, type Observed, type Server } from './observed.ts';
import { haltOf, windows, type HaltReason, type UpgradeState } from './upgrade-state.ts';

/** Status changes; with `record` a pod is done. */
interface Progress {
  readonly does: 'move' | 'record';
  readonly to: Partial<UpgradeState>;
}

/** What is done, or waited for. */
export type Action =
  | { readonly does: 'askToStepDown' | 'release' | 'complete' }
  | { readonly does: 'wait'; readonly what?: string | undefined }
  | { readonly does: 'halt'; readonly reason: HaltReason };

/** What happens next. */
export type Move = Progress | Action;

/** What a decision takes into account besides the servers. */
export interface Situation extends Observed {
  /** For how long this step has been seen. */
  readonly elapsed: Duration;
  /** What keeps pods from being replaced, whatever their state. */
  readonly obstacle: string | undefined;
}

/** The next move. A halted upgrade does nothing, and goes on when the state it waits for is reached. */
export function nextMove(state: UpgradeState, situation: Situation): Move {
  const move = unlimited(state, situation);
  if (isProgress(move) || move.does === 'complete') return move;
  if (haltOf(state) !== undefined) return { does: 'wait' };
  const window = windows[state.step ?? 'Lock'];
  const isLate = window !== undefined && situation.elapsed >= window.limit;
  return isLate ? { does: 'halt', reason: window.reason } : move;
}

/** Whether it changes status, and nothing else. */
export const isProgress = (move: Move): move is Progress => move.does === 'move' || move.does === 'record';

function unlimited(state: UpgradeState, situation: Situation): Move {
  const { set, servers } = situation;
  const server = servers[state.pod ?? servers.length - 1];
  if (server === undefined) return { does: 'wait' };
  switch (state.step ?? 'Lock') {
    case 'Lock':
      return isLocked(state, situation) ? nextPod(state, situation) : { does: 'wait' };
    case 'LeaderCheck':
      return checkLeader(state, server, situation);
    case 'StepDown':
      return stepDown(state, server, situation);
    case 'Transfer':
      return isLedByAnother(server, situation) ? begin('LeaderCheck') : { does: 'wait', what: 'another pod to lead' };
    case 'Release':
      return release(state, server, situation);
    case 'Ready':
      return hasBeenReplaced(state, server, situation) && server.pod?.isReady === true
        ? begin('Health')
        : { does: 'wait' };
    case 'Health':
      return checkHealth(state, server);
    case 'RaftSync': {
      const what = outOfSync(server, situation);
      return what === undefined ? record(state, situation) : { does: 'wait', what };
    }
    case 'Finish':
      return set.isObserved && set.currentRevision === set.updateRevision ? { does: 'complete' } : { does: 'wait' };
  }
}

const begin = (step: NonNullable<UpgradeState['step']>, more: Partial<UpgradeState> = {}): Move => ({
  does: 'move',
  to: { step, ...more },
});

/** Whether the set has the new template, and no pod follows it by itself. */
function isLocked({ templateHash, strategy, currentPartition }: UpgradeState, { set }: Observed): boolean {
  const partition = strategy === 'OnDelete' ? undefined : currentPartition;
  return set.isObserved && set.templateHash === templateHash && set.partition === partition;
}

/** Begins with the next pod: from the highest number on; one of an abandoned revision that is not ready goes before others. */
function nextPod({ strategy, completedPods = [] }: UpgradeState, { servers, set }: Observed): Move {
  const rest = servers.map((_, ordinal) => ordinal).filter((ordinal) => !completedPods.includes(ordinal));
  const isBroken = (ordinal: number) =>
    servers[ordinal]?.pod?.isReady !== true && servers[ordinal]?.pod?.revision !== set.updateRevision;
  const broken = strategy === 'OnDelete' ? rest.findLast(isBroken) : undefined;
  const pod = broken ?? rest.at(-1);
  if (pod === undefined) return begin('Finish', { currentPartition: 0 });
  return begin('LeaderCheck', { pod, podUid: '' });
}

/** Whether the pod has the new template already. */
const isCurrent = ({ pod }: Server, { set }: Observed) =>
  pod !== undefined && !pod.isTerminating && set.isObserved && pod.revision === set.updateRevision;

function checkLeader({ pod: ordinal }: UpgradeState, server: Server, situation: Situation): Move {
  if (isCurrent(server, situation)) return begin('Ready');
  const what = situation.obstacle ?? obstacleToLosing(ordinal, situation);
  if (what !== undefined) return { does: 'wait', what };
  return mustStepDown(server, situation) ? begin('StepDown') : begin('Release', { podUid: server.pod?.uid ?? '' });
}

/** A single server has nobody to hand over to. */
const mustStepDown = ({ answer }: Server, { servers }: Observed) => servers.length > 1 && answer?.leads === true;

/** Several pods, or none, may say that they lead for a moment. */
function isLedByAnother({ name }: Server, observed: Observed): boolean {
  const leader = leaderOf(observed);
  return leader !== undefined && leader.name !== name;
}

function stepDown({ pod: ordinal }: UpgradeState, server: Server, situation: Situation): Move {
  if (isLedByAnother(server, situation)) return begin('LeaderCheck');
  if (leaderOf(situation) === undefined) return { does: 'wait', what: 'a pod that leads' };
  const what = situation.obstacle ?? obstacleToLosing(ordinal, situation);
  return what === undefined ? { does: 'askToStepDown' } : begin('LeaderCheck');
}

function release(state: UpgradeState, server: Server, situation: Situation): Move {
  const { set } = situation;
  const isReleased = state.strategy === 'OnDelete' ? server.pod?.uid !== state.podUid : set.partition === state.pod;
  if (isReleased) return begin('Ready');
  const what = situation.obstacle ?? obstacleToLosing(state.pod, situation);
  return what !== undefined || mustStepDown(server, situation) ? begin('LeaderCheck') : { does: 'release' };
}

/** The pod that was there before may still be ready. */
const hasBeenReplaced = ({ podUid }: UpgradeState, server: Server, observed: Observed) =>
  isCurrent(server, observed) && server.pod?.uid !== podUid;

function checkHealth({ targetVersion = '' }: UpgradeState, { answer, name }: Server): Move {
  if (answer === undefined) return { does: 'wait', what: `an answer of ${name}` };
  if (!isSameVersion(answer.version, targetVersion)) return { does: 'halt', reason: 'UpgradeFailed' };
  return answer.initialized && !answer.sealed ? begin('RaftSync') : { does: 'wait', what: `${name} to be unsealed` };
}

function record(state: UpgradeState, situation: Situation): Move {
  const { completedPods = [], pod, strategy } = state;
  const done = {
    completedPods: pod === undefined ? completedPods : [...completedPods, pod],
    ...(strategy === 'Partition' && pod !== undefined && { currentPartition: pod }),
  };
  const next = nextPod({ ...state, ...done }, situation);
  return { does: 'record', to: { ...done, ...(next.does === 'move' && next.to) } };
}
