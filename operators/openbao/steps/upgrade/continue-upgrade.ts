// SPDX-License-Identifier: Apache-2.0
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { hasElapsed } from '@forge/runtime/environment/has-elapsed.ts';
import { checkpoint, degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { annotations } from '../../api/names.ts';
import { upgradeEvents, upgrading } from '../../conditions/upgrading.ts';
import { podsOf } from '../servers.ts';
import { timeText } from '../snapshots/backup-context.ts';
import { halt, haltedOutcome, problemOf } from './halts.ts';
import { measurePod, measureWhole } from './measure-upgrade.ts';
import { isProgress, nextMove, type Action } from './next-move.ts';
import { observe } from './observe.ts';
import type { Observed } from './observed.ts';
import { askToStepDown } from './step-down.ts';
import type { UnderWay, UpgradeContext, UpgradeOutcome } from './upgrade-context.ts';
import { atRest, haltOf, rolloutOf, type UpgradeState } from './upgrade-state.ts';

/** Goes on with an upgrade: moves status, or does what it says. */
export async function continueUpgrade(underWay: UnderWay, context: UpgradeContext): Promise<UpgradeOutcome> {
  const { state, set } = underWay;
  const { needs, seenFor } = context;
  const { templateHash, decision, version } = needs.target;
  const isDesired = templateHash === state.templateHash;
  const isRefused = decision === 'refused';
  if (!isDesired && !isRefused && state.step !== 'Finish') return abandoned(state);
  if (isDesired && !isRefused && version !== state.targetVersion)
    return checkpoint({ upgrade: { ...state, targetVersion: version } });
  if (isResumed(state, context)) return checkpoint({ upgrade: resumed(state, context) });

  const observed = await observe(set, context);
  const obstacle = isRefused ? 'a spec that is not refused' : obstacleIn(context);
  const elapsed = seenFor(`${state.step} ${state.pod} ${state.stepStartedAt}`, true);
  const performing = { ...underWay, observed, isDesired: isDesired && !isRefused };
  const move = nextMove(state, { ...observed, obstacle, elapsed });
  if (isProgress(move)) return await advanced(performing, obstacle, context);
  return await performed(move, performing, context);
}

/** Goes as far as what was observed leads, and stops before anything is done: status says first what that will be. */
async function advanced(
  { state: before, observed }: Performing,
  obstacle: string | undefined,
  context: UpgradeContext,
): Promise<UpgradeOutcome> {
  let state = before;
  for (;;) {
    const move = nextMove(state, { ...observed, obstacle, elapsed: now });
    if (!isProgress(move)) {
      const what = move.does === 'wait' ? move.what : undefined;
      return checkpoint({ upgrade: state }, textOf(state, observed, what, context));
    }
    if (move.does === 'record') {
      const pod = observed.servers[state.pod ?? 0]?.name ?? '';
      await context.event(upgradeEvents.podUpgraded({ pod, version: state.targetVersion ?? '' }));
      measurePod(pod, state, context);
    }
    state = moved(state, move.to, context);
  }
}

/** The spec asks for something else: the next pass begins with that, from what is there. */
const abandoned = ({ targetVersion = '' }: UpgradeState): UpgradeOutcome =>
  ready(upgrading.versionMismatch({ former: targetVersion }), {
    output: atRest,
    status: { upgrade: undefined },
    recheck: now,
  });

const obstacleIn = ({ object: { status } }: UpgradeContext) =>
  status?.backup?.attempt === undefined ? undefined : 'the running backup';

/** After this time a step-down that was refused is tried again: what made it fail is not seen from here. */
const stepDownRetry = seconds(30);

const retryIn = ({ object: { metadata } }: UpgradeContext) => metadata.annotations?.[annotations.retryUpgrade];

function isResumed(state: UpgradeState, context: UpgradeContext): boolean {
  const reason = haltOf(state);
  if (reason === undefined) return false;
  const { object: cluster, clock } = context;
  const since = Date.parse(state.lastErrorAt ?? '');
  return (
    state.haltedGeneration !== cluster.metadata.generation ||
    state.haltedRetry !== retryIn(context) ||
    (reason === 'StepDownFailed' && hasElapsed(since, stepDownRetry, clock.now()))
  );
}

/** Without the halt, and with a fresh window; a leader that did not hand over is asked again. */
function resumed(state: UpgradeState, context: UpgradeContext): UpgradeState {
  return moved(state, state.step === 'Transfer' ? { step: 'StepDown' } : {}, context);
}

/** What a move is performed on. */
interface Performing extends UnderWay {
  readonly observed: Observed;
  readonly isDesired: boolean;
}

async function performed(move: Action, performing: Performing, context: UpgradeContext): Promise<UpgradeOutcome> {
  const { state, observed } = performing;
  const name = observed.servers[state.pod ?? 0]?.name ?? '';
  switch (move.does) {
    case 'complete':
      return completed(performing, context);
    case 'halt':
      return await halt(move.reason, undefined, performing, context);
    case 'askToStepDown': {
      const problem = await askToStepDown(name, context);
      if (problem !== undefined) return await halt('StepDownFailed', problem, performing, context);
      return checkpoint({ upgrade: { ...state, step: 'Transfer' as const } });
    }
    case 'release':
      if (state.strategy === 'OnDelete') await deletePod(state, context);
      return waiting(undefined, { ...performing, isReleasing: true }, context);
    case 'wait':
      return haltOf(state) === undefined
        ? waiting(move.what, performing, context)
        : haltedOutcome(performing, outputOf(performing), context);
  }
}

/** Status after a move: a halt ends with it, and a new step has its own window. */
function moved(state: UpgradeState, to: Partial<UpgradeState>, { clock }: UpgradeContext): UpgradeState {
  const { lastErrorReason: _, lastErrorMessage: __, lastErrorAt: ___, ...rest } = state;
  const { haltedGeneration: _generation, haltedRetry: _retry, ...free } = rest;
  const time = timeText(clock.now());
  const next = { ...free, ...to, stepStartedAt: time };
  return {
    ...next,
    ...(next.step === 'StepDown' && { lastStepDownTime: time }),
    ...(next.pod !== state.pod && { podStartedAt: time }),
  };
}

async function deletePod({ podUid }: UpgradeState, context: UpgradeContext): Promise<void> {
  const pod = podsOf(context).find(({ metadata }) => metadata.uid === podUid);
  if (pod !== undefined && pod.metadata.deletionTimestamp === undefined) await context.deleteUnowned(Pod, pod);
}

const outputOf = ({ state, observed, isDesired, isReleasing = false }: Performing & { isReleasing?: boolean }) =>
  rolloutOf(state, { replicas: observed.servers.length, isReleasing, isDesired });

/** What is said while the upgrade goes on. */
function textOf(state: UpgradeState, observed: Observed, what: string | undefined, context: UpgradeContext) {
  const { fromVersion: from = '', targetVersion: version = '', completedPods = [], currentPartition } = state;
  const replicas = observed.servers.length;
  if (state.step === 'Lock') return upgrading.started({ replicas, from, to: version });
  if (state.step === 'Finish') return upgrading.finishing({ replicas, version });
  const pod = observed.servers[state.pod ?? 0]?.name ?? '';
  const partition = currentPartition ?? replicas;
  const suffix = what === undefined ? problemOf(pod, context) : `it waits for ${what}`;
  return upgrading.inProgress({ pod, number: completedPods.length + 1, replicas, version, partition }, suffix);
}

function waiting(
  what: string | undefined,
  performing: Performing & { isReleasing?: boolean },
  context: UpgradeContext,
): UpgradeOutcome {
  const { state, observed } = performing;
  const text = textOf(state, observed, what, context);
  const output = outputOf(performing);
  if (state.step === 'Lock' || state.step === 'Finish') return degraded(text, { output });
  return degraded(text, { output, recheck: seconds(state.step === 'Transfer' ? 2 : 5) });
}

function completed({ state, isDesired }: Performing, context: UpgradeContext): UpgradeOutcome {
  const { fromVersion: from = '', targetVersion: to = '' } = state;
  measureWhole(state, context);
  return ready(upgrading.complete({ from, to }), {
    output: { ...atRest, template: isDesired ? 'desired' : 'live' },
    status: { upgrade: undefined, currentVersion: to },
    event: upgradeEvents.complete({ from, to }),
    recheck: now,
  });
}
