// SPDX-License-Identifier: Apache-2.0

/** A member of the Raft configuration. */
export interface Peer {
  readonly id: string;
  /** Its cluster address, `host:port`. */
  readonly address: string;
  voter: boolean;
}

/** What a token may do, and where it comes from. */
export interface Token {
  readonly accessor: string;
  readonly entityId: string;
  readonly policies: readonly string[];
  readonly displayName: string;
  readonly path: string;
  readonly meta: Readonly<Record<string, string>> | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** Seconds; 0 lasts for ever. */
  readonly ttl: number;
}

/** A role of JWT authentication. */
export interface JwtRole {
  readonly bound_audiences?: readonly string[];
  readonly bound_subject?: string;
  readonly token_policies?: readonly string[];
  readonly token_ttl?: string | number;
}

interface JwtAuth {
  config?: { bound_issuer?: string; jwt_validation_pubkeys?: readonly string[] };
  roles: Record<string, JwtRole>;
}

/** What Raft replicates. */
export interface ReplicatedState {
  /** The number of changes so far, and of elections. */
  index: number;
  term: number;
  readonly clusterId: string;
  readonly clusterName: string;
  readonly recovery: { readonly shares: number; readonly threshold: number };
  peers: Peer[];
  /** The servers that shall not vote; a demotion outlives the removal of its server. */
  nonVoters: string[];
  autopilot: Record<string, string | number | boolean>;
  policies: Record<string, { text: string; modifiedAt: number; version: number }>;
  jwt?: JwtAuth;
  tokens: Record<string, Token>;
  /** The newest version that has led: what it wrote, an older one cannot read. */
  ledBy: string;
}

/** The content of a data directory; a new claim is an empty disk. */
export interface Disk {
  /** Undefined until the server is initialised or has joined. */
  store?: {
    /** The key that its barrier is sealed with. */
    readonly sealKey: string;
    copy: ReplicatedState;
  };
}

/** The state of a new cluster with one server. */
export function initialState(options: {
  clusterId: string;
  clusterName: string;
  recovery: ReplicatedState['recovery'];
  first: Omit<Peer, 'voter'>;
}): ReplicatedState {
  const { first, ...rest } = options;
  return {
    index: 10,
    term: 1,
    ...rest,
    peers: [{ ...first, voter: true }],
    nonVoters: [],
    autopilot: {
      cleanup_dead_servers: false,
      dead_server_last_contact_threshold: '24h0m0s',
      last_contact_threshold: '10s',
      max_trailing_logs: 1000,
      min_quorum: 0,
      server_stabilization_time: '10s',
    },
    policies: {},
    tokens: {},
    ledBy: '',
  };
}
