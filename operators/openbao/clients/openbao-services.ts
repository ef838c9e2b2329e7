// SPDX-License-Identifier: Apache-2.0
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { AutopilotState, Health, Leader, RaftServer } from './openbao-answers.ts';
import type { OpenBaoServer } from './openbao-call.ts';

/** Calls that change nothing. Each ends within its deadline, and rejects with an OpenBaoError. */
export interface OpenBaoReader {
  /** What a server says of itself; it needs no token and works in every state. */
  health(server: OpenBaoServer, signal: AbortSignal): Promise<Health>;
  /** Who leads, and how far this very server is; not while it is sealed. */
  leader(server: OpenBaoServer, signal: AbortSignal): Promise<Leader>;
  /** The members, as this server knows them. */
  raftServers(server: OpenBaoServer, token: SecretValue, signal: AbortSignal): Promise<readonly RaftServer[]>;
  /** What the leader observes of the members; undefined while it has observed nothing. */
  autopilot(server: OpenBaoServer, token: SecretValue, signal: AbortSignal): Promise<AutopilotState | undefined>;
  /** Whether a token is valid; what it may do is another question. */
  knowsToken(server: OpenBaoServer, token: SecretValue, signal: AbortSignal): Promise<boolean>;
  /** A snapshot, as it comes. A standby would send its own, possibly older state: ask the leader. */
  snapshot(server: OpenBaoServer, token: SecretValue, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** A login, for as long as its lease lasts. */
export interface Login {
  readonly token: SecretValue;
  readonly leaseSeconds: number;
  readonly isRenewable: boolean;
}

/** Whom a server joins. */
interface JoinTarget {
  readonly leader: OpenBaoServer;
  readonly asVoter: boolean;
}

/** Calls that change something. Each ends within its deadline, and rejects with an OpenBaoError. */
export interface OpenBaoActions {
  /**
   * Initialises a cluster whose servers unseal themselves, and returns its root token, which exists nowhere else.
   * Undefined when it is initialised already: nobody gets the token then.
   */
  initialize(server: OpenBaoServer, signal: AbortSignal): Promise<{ readonly rootToken: SecretValue } | undefined>;
  /** Logs in with the auth method jwt. */
  logIn(server: OpenBaoServer, login: { role: string; jwt: SecretValue }, signal: AbortSignal): Promise<Login>;
  /** Asks a leader to step down. Sent to a standby, it deposes the leader; see who leads afterwards. */
  stepDown(server: OpenBaoServer, token: SecretValue, signal: AbortSignal): Promise<void>;
  /** Lets a server without data join others; without effect on one that has data. */
  join(server: OpenBaoServer, target: JoinTarget, signal: AbortSignal): Promise<void>;
  /** Records what a member shall be, which takes effect later: read the members again. */
  promote(server: OpenBaoServer, token: SecretValue, id: string, signal: AbortSignal): Promise<void>;
  demote(server: OpenBaoServer, token: SecretValue, id: string, signal: AbortSignal): Promise<void>;
  /** Removes a member, also one that is none. The removed server is not notified. */
  removePeer(server: OpenBaoServer, token: SecretValue, id: string, signal: AbortSignal): Promise<void>;
}
