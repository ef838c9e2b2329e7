// SPDX-License-Identifier: Apache-2.0

/** The health that a server reports, whatever the status code of the answer. */
export interface Health {
  readonly initialized: boolean;
  readonly sealed: boolean;
  /** Also of a peer that was removed, and when there is no quorum: it proves neither membership nor a leader. */
  readonly standby: boolean;
  readonly version: string;
}

/** What a server knows of the leader, and how far it is itself. */
export interface Leader {
  readonly isSelf: boolean;
  /** The leader's URL; empty when nobody is known to lead. */
  readonly address: string;
  readonly committedIndex: number;
  readonly appliedIndex: number;
}

/** A member of the Raft cluster. */
export interface RaftServer {
  readonly id: string;
  /** Host and port. */
  readonly address: string;
  readonly isLeader: boolean;
  readonly isVoter: boolean;
}

/** What the leader observes of a member. */
interface AutopilotServer {
  readonly id: string;
  readonly address: string;
  readonly isHealthy: boolean;
  /** What it is: leader, voter or non-voter. */
  readonly status: string;
  readonly lastIndex: number;
  /** Trails by some seconds after a restart. */
  readonly version: string;
}

/** What the leader observes of the cluster. */
export interface AutopilotState {
  /** False as soon as any member is unhealthy. */
  readonly isHealthy: boolean;
  readonly failureTolerance: number;
  /** The ID of the leader. */
  readonly leader: string;
  readonly voters: readonly string[];
  readonly nonVoters: readonly string[];
  readonly servers: readonly AutopilotServer[];
}

type Json = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
// Fields that are zero or false are left out of answers.
const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);
const textsIn = (value: unknown): string[] => listIn(value).map(textIn);

/** The health in a body; undefined when it has none. */
export function healthIn(body: unknown): Health | undefined {
  const { initialized, sealed, standby, version } = objectIn(body);
  if (typeof initialized !== 'boolean' || typeof sealed !== 'boolean') return undefined;
  return { initialized, sealed, standby: standby === true, version: textIn(version) };
}

export function leaderIn(body: Json): Leader {
  return {
    isSelf: body['is_self'] === true,
    address: textIn(body['leader_address']),
    committedIndex: numberIn(body['raft_committed_index']),
    appliedIndex: numberIn(body['raft_applied_index']),
  };
}

export function raftServersIn(body: Json): RaftServer[] {
  const { servers } = objectIn(objectIn(body['data'])['config']);
  return listIn(servers).map((each) => {
    const server = objectIn(each);
    return {
      id: textIn(server['node_id']),
      address: textIn(server['address']),
      isLeader: server['leader'] === true,
      isVoter: server['voter'] === true,
    };
  });
}

export function autopilotStateIn(body: Json): AutopilotState {
  const data = objectIn(body['data']);
  return {
    isHealthy: data['healthy'] === true,
    failureTolerance: numberIn(data['failure_tolerance']),
    leader: textIn(data['leader']),
    voters: textsIn(data['voters']),
    nonVoters: textsIn(data['non_voters']),
    servers: Object.entries(objectIn(data['servers'])).map(([id, each]) => {
      const server = objectIn(each);
      return {
        id,
        address: textIn(server['address']),
        isHealthy: server['healthy'] === true,
        status: textIn(server['status']),
        lastIndex: numberIn(server['last_index']),
        version: textIn(server['version']),
      };
    }),
  };
}
