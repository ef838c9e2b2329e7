// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { nextMove, type Situation } from './next-move.ts';
import type { Server } from './observed.ts';
import { strategyFor } from './plan-upgrade.ts';
import type { UpgradeState } from './upgrade-state.ts';

const url = (ordinal: number) => `https://demo-${ordinal}`;

/** A server that is healthy, and follows demo-0; of the new revision from `from` on. */
const serverAt = (ordinal: number, from: number): Server => ({
  name: `demo-${ordinal}`,
  url: url(ordinal),
  pod: {
    uid: `uid-${ordinal}`,
    revision: ordinal >= from ? 'new' : 'old',
    isTerminating: false,
    isReady: true,
    isNew: false,
  },
  answer: { initialized: true, sealed: false, version: '2.8.0', leads: ordinal === 0, leader: url(0), committed: 500 },
});

/** Three servers of which those from `from` on are new, with changes. */
function situation(
  from: number,
  changes: Partial<Situation> = {},
  changed: Record<number, Partial<Server>> = {},
): Situation {
  return {
    set: { templateHash: 'b', partition: from, isObserved: true, currentRevision: 'old', updateRevision: 'new' },
    servers: [0, 1, 2].map((ordinal) => ({ ...serverAt(ordinal, from), ...changed[ordinal] })),
    members: undefined,
    elapsed: seconds(0),
    obstacle: undefined,
    ...changes,
  };
}

const at = (step: NonNullable<UpgradeState['step']>, pod = 2, more: Partial<UpgradeState> = {}): UpgradeState => ({
  step,
  pod,
  targetVersion: '2.8.0',
  templateHash: 'b',
  strategy: 'Partition',
  currentPartition: 3,
  completedPods: [],
  ...more,
});

const notReady = (ordinal: number) => ({
  pod: { uid: `uid-${ordinal}`, revision: 'old', isTerminating: false, isReady: false, isNew: false },
});

describe('an upgrade', () => {
  test('begins with the highest pod once the template is locked', () => {
    assert.deepEqual(nextMove(at('Lock'), situation(3)), {
      does: 'move',
      to: { step: 'LeaderCheck', pod: 2, podUid: '' },
    });
    const { set } = situation(3);
    assert.equal(nextMove(at('Lock'), situation(3, { set: { ...set, templateHash: 'a' } })).does, 'wait');
    assert.equal(nextMove(at('Lock'), situation(3, { set: { ...set, isObserved: false } })).does, 'wait');
  });

  test('releases no pod while another one is down, lags, or follows nobody', () => {
    const { answer } = serverAt(1, 3);
    assert.ok(answer !== undefined);
    const problems = [
      notReady(1),
      { answer: undefined },
      { answer: { ...answer, sealed: true } },
      { answer: { ...answer, committed: 399 } },
      { answer: { ...answer, leader: '' } },
    ];
    for (const problem of problems) {
      assert.equal(nextMove(at('LeaderCheck'), situation(3, {}, { 1: problem })).does, 'wait');
      const release = nextMove(at('Release'), situation(3, {}, { 1: problem }));
      assert.deepEqual(release, { does: 'move', to: { step: 'LeaderCheck' } });
    }
    assert.equal(nextMove(at('Release'), situation(3)).does, 'release');
  });

  test('asks a leader to step down, and nobody when there is only one server', () => {
    const leading = nextMove(at('LeaderCheck', 0), situation(1));
    assert.deepEqual(leading, { does: 'move', to: { step: 'StepDown' } });
    assert.equal(nextMove(at('StepDown', 0), situation(1)).does, 'askToStepDown');
    const single = { ...situation(1), servers: [serverAt(0, 1)] };
    assert.deepEqual(nextMove(at('LeaderCheck', 0), single), {
      does: 'move',
      to: { step: 'Release', podUid: 'uid-0' },
    });
  });

  test('does not take the old pod for the new one', () => {
    assert.equal(nextMove(at('Ready', 2, { podUid: 'uid-2' }), situation(2)).does, 'wait');
    assert.deepEqual(nextMove(at('Ready', 2, { podUid: 'former' }), situation(2)), {
      does: 'move',
      to: { step: 'Health' },
    });
  });

  test('halts when a step takes too long, does nothing then, and goes on when its state is reached', () => {
    const stuck = situation(2, { elapsed: minutes(5) }, { 2: notReady(2) });
    assert.deepEqual(nextMove(at('Ready'), stuck), { does: 'halt', reason: 'PodNotReady' });
    assert.equal(nextMove(at('Ready'), { ...stuck, elapsed: seconds(299) }).does, 'wait');
    const lastErrorReason = 'PodNotReady';
    assert.equal(nextMove(at('Ready', 2, { lastErrorReason }), stuck).does, 'wait');
    assert.equal(nextMove(at('Ready', 2, { lastErrorReason, podUid: 'former' }), situation(2)).does, 'move');
    assert.equal(nextMove(at('Release', 2, { lastErrorReason }), situation(3)).does, 'wait');
  });

  test('names a server of another version at once', () => {
    const state = at('Health', 2, { targetVersion: '2.9.0' });
    assert.deepEqual(nextMove(state, situation(2)), { does: 'halt', reason: 'UpgradeFailed' });
  });

  test('goes by deletions where a pod that dies would come back with a lower version, or the broken one is not the last', () => {
    const [whole, mixed] = [situation(3), situation(2)];
    const broken = situation(
      1,
      {},
      { 1: { pod: { uid: 'u', revision: 'new', isTerminating: false, isReady: false, isNew: false } } },
    );
    assert.equal(strategyFor(whole, 'c', { from: '2.7.2', highest: '2.8.0' }), 'Partition');
    assert.equal(strategyFor(mixed, 'c', { from: '2.7.2', highest: '2.7.2' }), 'Partition');
    assert.equal(strategyFor(mixed, 'c', { from: '2.7.2', highest: '2.8.0' }), 'OnDelete');
    assert.equal(strategyFor(broken, 'c', { from: '2.7.2', highest: '2.7.2' }), 'OnDelete');
  });
});
