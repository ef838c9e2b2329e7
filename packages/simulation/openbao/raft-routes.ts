// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { attachment, errors, json, logical, noContent, wrappedError, type FakeAnswer } from './answers.ts';
import { times } from './election-times.ts';
import type { Network } from './fake-openbao.ts';
import { isOlder } from './raft.ts';
import { isInitialised, stateOf, type Server } from './server.ts';
import { snapshotOf, stateIn } from './snapshot.ts';

/** `raft/configuration`: the copy of the server that is asked. */
export function configuration(server: Server, { random }: Network): FakeAnswer {
  const servers = stateOf(server).peers.map(({ id, address, voter }) => ({
    node_id: id,
    address,
    leader: id === server.raftLeader,
    protocol_version: '3',
    voter,
  }));
  const sorted = servers.toSorted((one, other) => (one.node_id < other.node_id ? -1 : 1));
  return logical(random, { data: { config: { servers: sorted, index: 0 } } });
}

/** `raft/autopilot/state` of the leader. */
export function autopilotState(leader: Server, { random, clock, raft }: Network): FakeAnswer {
  const { peers, nonVoters, index, term } = stateOf(leader);
  const servers = peers.map(({ id, address, voter }) => {
    const server = raft.membersOf(leader).find(({ options }) => options.nodeId === id);
    const isAlive = server !== undefined && clock.now() - server.unsealedAt >= times.settling;
    return {
      id,
      name: id,
      address,
      node_status: 'alive',
      last_contact: isAlive ? '0s' : '15s',
      last_term: term,
      last_index: isAlive ? index : 0,
      healthy: isAlive,
      stable_since: new Date(server?.unsealedAt ?? 0).toISOString(),
      status: id === leader.options.nodeId ? 'leader' : voter ? 'voter' : 'non-voter',
      version: server?.options.version ?? '',
      node_type: nonVoters.includes(id) ? 'non-voter' : 'voter',
    };
  });
  const voters = servers.filter(({ status }) => status !== 'non-voter');
  const others = servers.filter(({ status }) => status === 'non-voter').map(({ id }) => id);
  const spare = voters.filter(({ healthy }) => healthy).length - (Math.floor(voters.length / 2) + 1);
  return logical(random, {
    data: {
      healthy: servers.every(({ healthy }) => healthy),
      failure_tolerance: Math.max(0, spare),
      leader: leader.options.nodeId,
      voters: voters.map(({ id }) => id).toSorted(),
      ...(others.length > 0 && { non_voters: others.toSorted() }),
      servers: Object.fromEntries(servers.map((each) => [each.id, each])),
    },
  });
}

/** `raft/autopilot/configuration`. */
export function configureAutopilot(leader: Server, body: JsonObject, { raft }: Network): FakeAnswer {
  const next = { ...stateOf(leader).autopilot, ...(body as Record<string, string | number | boolean>) };
  if (next['cleanup_dead_servers'] === true && Number(next['min_quorum']) < 3) {
    const quorum = Number(next['min_quorum']).toString(16);
    return errors(
      400,
      `min_quorum must be set when cleanup_dead_servers is set and it should at least be 3; cleanup_dead_servers: true, min_quorum: 0x${quorum}`,
    );
  }
  const [, received] = /^(\d+)s$/.exec(String(next['dead_server_last_contact_threshold'])) ?? [];
  if (next['cleanup_dead_servers'] === true && received !== undefined) {
    return errors(400, `dead_server_last_contact_threshold should not be set to less than 1m; received: ${received}`);
  }
  raft.commit(leader, (state) => (state.autopilot = next));
  return noContent;
}

/** `raft/promote`, `raft/demote` and `raft/remove-peer`. */
export function changePeer(leader: Server, does: string, body: JsonObject, { raft }: Network): FakeAnswer {
  const id = body['server_id'];
  if (typeof id !== 'string' || id === '') return errors(400, 'no server id provided');
  const { peers, nonVoters } = stateOf(leader);
  const isKnown = peers.some((peer) => peer.id === id);
  if (does === 'remove-peer') {
    if (isKnown) raft.commit(leader, (state) => (state.peers = state.peers.filter((peer) => peer.id !== id)));
    return noContent;
  }
  if (!isKnown && !isOlder(leader.options.version, '2.7')) {
    return wrappedError(500, `server ${id} not found in raft configuration`);
  }
  const isNonVoter = nonVoters.includes(id);
  if (does === 'promote' && !isNonVoter) return wrappedError(500, 'server is not a non-voter');
  if (does === 'demote' && isNonVoter) return wrappedError(500, 'server is already a non-voter');
  raft.setRole(leader, id, does === 'promote' ? 'voter' : 'non-voter');
  return noContent;
}

/** `raft/join`, on the server that is to join. */
export function join(server: Server, body: JsonObject, network: Network): FakeAnswer {
  if (isInitialised(server)) return json(200, { joined: true });
  const url = body['leader_api_addr'];
  const joined = typeof url === 'string' && url !== '' && network.join(server, url, body['non_voter'] === true);
  return joined ? json(200, { joined }) : errors(500, 'failed to join raft cluster: failed to get raft challenge');
}

/** `GET raft/snapshot`: the state of the server that is asked. */
export const saveSnapshot = (server: Server): FakeAnswer => attachment(snapshotOf(stateOf(server)));

/** `POST raft/snapshot` to a standby: it accepts the snapshot, restores nothing, and is sealed until it is restarted. */
export function misdirectedSnapshot(standby: Server, body: Uint8Array, network: Network): FakeAnswer {
  const restored = stateIn(body);
  if ('error' in restored) return wrappedError(500, restored.error);
  network.seal(standby);
  return noContent;
}

/** `POST raft/snapshot`: members and tokens stay, everything else is as it was. */
export function restoreSnapshot(leader: Server, body: Uint8Array, { raft }: Network): FakeAnswer {
  const restored = stateIn(body);
  if ('error' in restored) return wrappedError(500, restored.error);
  raft.commit(leader, (state) => {
    const { peers, nonVoters, index, term, ledBy } = state;
    Object.assign(state, restored, { peers, nonVoters, index, term, ledBy });
  });
  return noContent;
}
