// SPDX-License-Identifier: Apache-2.0
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { Disk, ReplicatedState } from './state.ts';

/** How a server is started. */
export interface ServerOptions {
  /** Its URL, such as `https://demo-0.demo.ops.svc:8200`; requests reach it by its host and port. */
  readonly api: string;
  /** Its cluster address, `host:port`. */
  readonly cluster: string;
  readonly nodeId: string;
  readonly version: string;
  readonly clusterName?: string | undefined;
  readonly disk: Disk;
  /** The key of the static seal; undefined while the key server of another seal cannot be reached. */
  readonly sealKey: string | undefined;
  readonly sealType?: string;
  /** The URLs of the servers that it asks to join, as they are now. Default: none. */
  readonly retryJoin?: () => readonly string[];
  /** Whether it joins as a non-voter. Default: false. */
  readonly nonVoter?: boolean;
  /** Scales the times of elections. Default: 5, that of the server. */
  readonly performanceMultiplier?: number | undefined;
  /** Called when what its labels say has changed. */
  readonly onChange?: () => void;
}

/** What a test makes of a server: it answers late, or accepts connections and never answers. */
type Trouble = 'hangs' | { readonly slow: Duration };

/** A running server. */
export interface Server {
  readonly options: ServerOptions;
  /** It answers; before, TCP connects but the TLS handshake hangs. */
  isServing: boolean;
  /** The requests that wait for it. */
  readonly waiting: (() => void)[];
  isUnsealed: boolean;
  isEnded: boolean;
  /** Whether it leads and is active. */
  leads: boolean;
  /** When it began to lead, and to follow or lead; milliseconds. */
  activeSince: number;
  unsealedAt: number;
  /** The leader that Raft knows, and the one that the server names: a removed server keeps naming it. */
  raftLeader: string | undefined;
  namedLeader: { readonly api: string; readonly cluster: string } | undefined;
  /** Until then it does not compete: it has stepped down. */
  restsUntil: number;
  trouble: Trouble | undefined;
}

/** A server that has just been started. */
export function newServer(options: ServerOptions): Server {
  return {
    options,
    isServing: false,
    waiting: [],
    isUnsealed: false,
    isEnded: false,
    leads: false,
    activeSince: 0,
    unsealedAt: 0,
    raftLeader: undefined,
    namedLeader: undefined,
    restsUntil: 0,
    trouble: undefined,
  };
}

/** Whether the server is initialised, or has joined. */
export function isInitialised({ options }: Server): boolean {
  return options.disk.store !== undefined;
}

/** Whether it is a standby or the active server. */
export function isReplica(server: Server): boolean {
  return server.isServing && server.isUnsealed && isInitialised(server);
}

/** The state that a server has a copy of. */
export function stateOf({ options }: Server): ReplicatedState {
  if (options.disk.store === undefined) throw new Error(`${options.nodeId} is not initialised`);
  return options.disk.store.copy;
}
