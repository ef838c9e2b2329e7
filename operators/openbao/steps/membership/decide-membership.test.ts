// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namesOf } from '../../api/names.ts';
import { openbaoFixture } from '../../test/openbao-fixture.ts';
import { decideMembership, strangersAmong, type Observed, type RaftView } from './decide-membership.ts';

const names = namesOf(openbaoFixture());
const ordinals = (count: number) => Array.from({ length: count }, (_, ordinal) => ordinal);

interface World {
  readonly wanted: number;
  readonly current: number;
  /** The servers that are members. Default: those of the set. */
  readonly members?: readonly number[];
  readonly nonVoters?: readonly number[];
  readonly leader?: number;
  readonly sick?: readonly number[];
  readonly behind?: readonly number[];
  readonly notReady?: readonly number[];
  /** The pods that exist. Default: those of the set. */
  readonly pods?: readonly number[];
}

function raftOf({ current, members = ordinals(current), nonVoters = [], leader = 0, sick = [], behind = [] }: World) {
  const at = (id: number) => ({ id: names.pod(id), address: '' });
  return {
    leader: names.pod(leader),
    members: members.map((id) => ({ ...at(id), isLeader: id === leader, isVoter: !nonVoters.includes(id) })),
    autopilot: {
      isHealthy: true,
      failureTolerance: 0,
      leader: names.pod(leader),
      voters: [],
      nonVoters: [],
      servers: members.map((id) => ({
        ...at(id),
        isHealthy: !sick.includes(id),
        status: 'voter',
        lastIndex: behind.includes(id) ? 899 : 1000,
        version: '2.7.2',
      })),
    },
  } satisfies RaftView;
}

function seenOf(world: World, rest: Partial<Observed> = {}): Observed {
  const { wanted, current, notReady = [], pods = ordinals(current) } = world;
  return {
    wanted,
    current,
    isUpgrading: false,
    claims: ordinals(current).map((ordinal) => ({ ordinal })),
    pods: new Map(pods.map((ordinal) => [names.pod(ordinal), !notReady.includes(ordinal)])),
    names,
    raft: raftOf(world),
    mayRemove: true,
    ...rest,
  };
}

/** A decision in a few words. */
function wordsOf(seen: Observed): string {
  const decision = decideMembership(seen);
  if (decision.does === 'nothing') return `${decision.replicas} run`;
  return `${decision.does} ${decision.ordinal}${decision.does === 'hold' ? `: ${decision.cause}` : ''}`;
}

const decided = (world: World, rest?: Partial<Observed>) => wordsOf(seenOf(world, rest));
const claims = (count: number, ...removals: [ordinal: number, removal: 'begun' | 'done'][]) =>
  ordinals(count).map((ordinal) => {
    const [, removal] = removals.find(([removed]) => removed === ordinal) ?? [];
    return { ordinal, ...(removal !== undefined && { removal }) };
  });

const waits = (id: number) => `hold 4: waiting until demo-${id} is healthy and in sync`;

describe('the number of servers', () => {
  test('stays, grows at once, and shrinks from the end, one server at a time', () => {
    assert.equal(decided({ wanted: 3, current: 3 }), '3 run');
    assert.equal(decided({ wanted: 5, current: 3 }), '5 run');
    assert.equal(decided({ wanted: 3, current: 5 }), 'remove 4');
    assert.equal(decided({ wanted: 3, current: 5, leader: 4 }), 'step down 4');
    assert.equal(decided({ wanted: 3, current: 5, leader: 3 }), 'remove 4');
    assert.equal(decided({ wanted: 3, current: 5, members: [0, 1, 2, 3] }), 'shrink 4');
    const left = { wanted: 3, current: 4, members: [0, 1, 2, 3] };
    const marked = { claims: claims(5, [4, 'done']) };
    assert.equal(decided({ ...left, pods: [0, 1, 2, 3, 4] }, marked), 'await pod 4');
    assert.equal(decided(left, marked), 'delete claim 4');
    assert.equal(decided(left), 'remove 3');
    assert.equal(decided({ wanted: 1, current: 2 }), 'remove 1');
    assert.equal(decided({ wanted: 1, current: 2, leader: 1 }), 'step down 1');
  });

  test('is that of an upgrade while there is one', () => {
    assert.equal(decided({ wanted: 1, current: 3 }, { isUpgrading: true }), '3 run');
    assert.equal(decided({ wanted: 5, current: 3 }, { isUpgrading: true }), '3 run');
    assert.equal(decided({ wanted: 3, current: 1 }, { isUpgrading: true, claims: claims(3) }), '3 run');
  });

  test('grows again only when a removal that was begun is finished', () => {
    const unfinished = { claims: claims(5, [4, 'begun']) };
    assert.equal(decided({ wanted: 5, current: 5 }, unfinished), 'remove 4');
    assert.equal(decided({ wanted: 5, current: 5, members: [0, 1, 2, 3] }, unfinished), 'shrink 4');
    assert.equal(decided({ wanted: 5, current: 4, members: [0, 1, 2, 3] }, unfinished), 'delete claim 4');
    assert.equal(decided({ wanted: 5, current: 4, members: [0, 1, 2, 3, 4] }, unfinished), 'remove 4');
    assert.equal(decided({ wanted: 5, current: 4 }), '5 run');
  });

  test('shrinks down to a server in the middle that was removed, whose data would be used again otherwise', () => {
    assert.equal(
      decided({ wanted: 5, current: 5, members: [0, 1, 3, 4] }, { claims: claims(5, [2, 'begun']) }),
      'remove 4',
    );
    assert.equal(decided({ wanted: 3, current: 3 }, { claims: claims(3, [0, 'done']) }), '3 run');
  });

  test('shrinks while all others that vote are ready, healthy and in sync, and not otherwise', () => {
    const shrinking = { wanted: 3, current: 5 };
    assert.equal(decided({ ...shrinking, sick: [1] }), waits(1));
    assert.equal(decided({ ...shrinking, behind: [2] }), waits(2));
    assert.equal(decided({ ...shrinking, notReady: [3] }), waits(3));
    assert.equal(decided({ ...shrinking, pods: [0, 1, 2, 4] }), waits(3));
    assert.equal(decided({ ...shrinking, sick: [4], behind: [4], notReady: [4] }), 'remove 4');
    assert.equal(decided({ ...shrinking, sick: [3], nonVoters: [3] }), 'remove 4');
    assert.equal(decided({ ...shrinking, leader: 4, sick: [0] }), waits(0));
    assert.equal(
      decided({ ...shrinking, leader: 4, nonVoters: [0, 1, 2, 3] }),
      'hold 4: waiting until another server votes',
    );
    const { autopilot: _, ...raft } = raftOf(shrinking);
    assert.equal(decided(shrinking, { raft }), 'hold 4: waiting until demo-0 has observed the other servers');
  });

  test('shrinks with a credential for upgrades only, and never where the members are unknown', () => {
    const shrinking = { wanted: 3, current: 5 };
    const needed = /^hold 4: servers leave the Raft cluster only with a credential for upgrades: run forge seed/;
    assert.match(decided(shrinking, { mayRemove: false }), needed);
    assert.match(decided(shrinking, { mayRemove: false, raft: { unknown: 'none' } }), needed);
    assert.equal(decided(shrinking, { raft: { unknown: 'no ready pod leads' } }), 'hold 4: no ready pod leads');
    assert.equal(decided({ wanted: 5, current: 3 }, { raft: { unknown: 'none' } }), '5 run');
  });
});

const strangers = (world: World, rest?: Partial<Observed>) => strangersAmong(seenOf(world, rest));

describe('a pod that is ready and no member', () => {
  test('is found, unless it is about to leave, or the members are unknown', () => {
    const world = { wanted: 3, current: 3, members: [0, 2] };
    assert.deepEqual(strangers(world), [1]);
    assert.deepEqual(strangers({ ...world, notReady: [1] }), []);
    assert.deepEqual(strangers({ ...world, pods: [0, 2] }), []);
    assert.deepEqual(strangers(world, { raft: { unknown: '' } }), []);
    assert.deepEqual(strangers(world, { claims: claims(3, [1, 'done']) }), []);
    assert.deepEqual(strangers({ wanted: 1, current: 3, members: [0, 1] }), []);
    assert.deepEqual(strangers({ wanted: 1, current: 3, members: [0, 2] }), [1]);
  });
});
