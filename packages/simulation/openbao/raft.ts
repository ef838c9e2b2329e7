// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { electionDelay, times, type LeaderLoss } from './election-times.ts';
import { isReplica, stateOf, type Server } from './server.ts';
import type { Peer, ReplicatedState } from './state.ts';

/** Elections, replication and autopilot among the servers of a network. */
export interface Raft {
  /** The active server of the cluster that this one belongs to; undefined when it has none that the server can reach. */
  leaderOf(server: Server): Server | undefined;
  /** The servers of its cluster that take part, itself included. */
  membersOf(server: Server): readonly Server[];
  /** Changes the replicated state; the leader must have a quorum. */
  commit(leader: Server, change: (state: ReplicatedState) => void): void;
  /** A server has unsealed its store: it follows the leader, or competes. */
  join(server: Server, loss: LeaderLoss): void;
  /** A server that has just been initialised leads. */
  lead(server: Server): void;
  /** A server does not take part any more. */
  leave(server: Server, loss: LeaderLoss): void;
  /** The leader gives up; another one is elected. */
  stepDown(leader: Server): void;
  /** Sets the role that autopilot gives a server after a while. */
  setRole(leader: Server, id: string, role: 'voter' | 'non-voter'): void;
  /** While true, nobody leads. */
  isLeaderless: boolean;
}

/** The Raft clusters among these servers. */
export function raftOf(servers: ReadonlySet<Server>, { clock, random }: { clock: Clock; random: Random }): Raft {
  let isLeaderless = false;
  const between = ([from, to]: readonly [number, number]) => from + Math.round(random.number() * (to - from));

  /** Those that run, and that both its and their own configuration contain. */
  function membersOf(server: Server): Server[] {
    const { clusterId, peers } = stateOf(server);
    return [...servers].filter(
      (each) =>
        isReplica(each) &&
        stateOf(each).clusterId === clusterId &&
        isIn(peers, each) &&
        isIn(stateOf(each).peers, each),
    );
  }

  function hasQuorum(server: Server): boolean {
    const voters = stateOf(server).peers.filter(({ voter }) => voter);
    const alive = membersOf(server).filter(({ options }) => voters.some(({ id }) => id === options.nodeId));
    return alive.length > voters.length / 2;
  }

  const leaderOf = (server: Server) => membersOf(server).find(({ leads }) => leads);

  function replicate(leader: Server): void {
    const { api, cluster, nodeId } = leader.options;
    for (const each of membersOf(leader)) {
      if (each.options.disk.store !== undefined) each.options.disk.store.copy = structuredClone(stateOf(leader));
      each.raftLeader = nodeId;
      each.namedLeader = { api, cluster };
    }
  }

  function commit(leader: Server, change: (state: ReplicatedState) => void): void {
    // A removed server receives the change that removes it.
    const before = membersOf(leader);
    const state = stateOf(leader);
    change(state);
    state.index += 1;
    replicate(leader);
    for (const each of before) {
      if (isIn(state.peers, each) || each.options.disk.store === undefined) continue;
      each.options.disk.store.copy = structuredClone(state);
      clock.after(times.heartbeat, () => (each.raftLeader = undefined));
    }
  }

  function candidates(server: Server): Server[] {
    const able = membersOf(server).filter((each) => {
      const { peers, ledBy } = stateOf(each);
      const votes = peers.some(({ id, voter }) => voter && id === each.options.nodeId);
      return votes && hasQuorum(each) && !isOlder(each.options.version, ledBy);
    });
    const newest = Math.max(...able.map((each) => stateOf(each).index));
    const best = able.filter((each) => stateOf(each).index === newest);
    const rested = best.filter(({ restsUntil }) => clock.now() >= restsUntil);
    return rested.length > 0 ? rested : best;
  }

  function elect(server: Server): void {
    if (isLeaderless || !isReplica(server) || leaderOf(server) !== undefined) return;
    const able = candidates(server);
    const winner = able[Math.floor(random.number() * able.length)];
    if (winner === undefined) return;
    winner.leads = true;
    winner.activeSince = clock.now();
    commit(winner, (state) => {
      state.term += 1;
      if (isOlder(state.ledBy, winner.options.version)) state.ledBy = winner.options.version;
    });
    for (const each of membersOf(winner)) each.options.onChange?.();
    for (const { id, voter } of stateOf(winner).peers) {
      if (voter === stateOf(winner).nonVoters.includes(id)) reconcile(winner, id, times.demotionOfLeader);
    }
  }

  function electAfter(server: Server, loss: LeaderLoss): void {
    clock.after(electionDelay(loss, random, server.options.performanceMultiplier), () => elect(server));
  }

  /** Servers whose leader is gone notice it. */
  function forgetLeader(leader: Server): void {
    clock.after(times.heartbeat, () => {
      for (const each of servers) {
        const isGone = each.raftLeader === leader.options.nodeId && leaderOf(each)?.options.nodeId !== each.raftLeader;
        if (isGone) each.raftLeader = undefined;
      }
    });
  }

  /** Autopilot gives the server its role after a while, unless it leads. */
  function reconcile(leader: Server, id: string, span: readonly [number, number]): void {
    clock.after(between(span), () => {
      const current = isReplica(leader) ? leaderOf(leader) : undefined;
      if (current === undefined || current.options.nodeId === id) return;
      const { peers, nonVoters } = stateOf(current);
      const wanted = !nonVoters.includes(id);
      if (peers.some((peer) => peer.id === id && peer.voter !== wanted)) {
        commit(current, (state) => {
          for (const peer of state.peers) if (peer.id === id) peer.voter = wanted;
        });
      }
    });
  }

  return {
    get isLeaderless() {
      return isLeaderless;
    },
    set isLeaderless(value) {
      isLeaderless = value;
      for (const each of servers) {
        if (value && each.leads) depose(each);
        else if (!value && isReplica(each)) electAfter(each, 'stepped-down');
      }
    },
    leaderOf,
    membersOf,
    commit,

    join(server, loss) {
      server.unsealedAt = clock.now();
      const leader = leaderOf(server);
      if (leader === undefined) return electAfter(server, loss);
      replicate(leader);
      const { peers, nonVoters } = stateOf(leader);
      const isNew = peers.some(({ id, voter }) => id === server.options.nodeId && !voter);
      if (isNew && !nonVoters.includes(server.options.nodeId)) {
        reconcile(leader, server.options.nodeId, times.promotionOfNew);
      }
    },

    lead(server) {
      server.unsealedAt = clock.now();
      elect(server);
    },

    leave(server, loss) {
      const led = server.leads;
      if (led) depose(server);
      forgetLeader(server);
      for (const each of servers) {
        if (!isReplica(each) || each === server) continue;
        if (led && stateOf(each).clusterId === server.options.disk.store?.copy.clusterId) electAfter(each, loss);
        if (each.leads && !hasQuorum(each)) {
          clock.after(times.heartbeat, () => {
            if (each.leads && !hasQuorum(each)) depose(each);
          });
        }
      }
    },

    stepDown(leader) {
      depose(leader);
      leader.restsUntil = clock.now() + times.rest;
      electAfter(leader, 'stepped-down');
    },

    setRole(leader, id, role) {
      commit(leader, (state) => {
        state.nonVoters = [...state.nonVoters.filter((each) => each !== id), ...(role === 'voter' ? [] : [id])];
      });
      reconcile(leader, id, role === 'voter' ? times.promotion : times.demotion);
    },
  };
}

const isIn = (peers: readonly Peer[], { options }: Server) => peers.some(({ id }) => id === options.nodeId);

/** Ends the leadership of a server. */
function depose(leader: Server): void {
  leader.leads = false;
  leader.raftLeader = undefined;
  leader.namedLeader = undefined;
  leader.options.onChange?.();
}

/** Whether a version is of an older minor release than another. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}
