import { compareVersions } from '../../api/version.ts';
// SPDX-License-Identifier: Apache-2.0
import type { AutopilotState } from '../../clients/openbao-answers.ts';

/** What the server in a pod says. */
export interface Answer {
  readonly initialized: boolean;
  readonly sealed: boolean;
  readonly version: string;
  /** Whether it says that it leads. */
  readonly leads: boolean;
  /** The URL of the leader that it knows; empty when it knows none. */
  readonly leader: string;
  readonly committed: number;
}

/** A pod and its server. */
export interface Server {
  readonly name: string;
  readonly url: string;
  /** Undefined when there is none. */
  readonly pod:
    | {
        readonly uid: string;
        readonly revision: string;
        readonly isTerminating: boolean;
        /** Ready and not terminating. */
        readonly isReady: boolean;
        /** Whether it began without data, so recently that it may not vote yet. */
        readonly isNew: boolean;
      }
    | undefined;
  /** Undefined when it does not answer. */
  readonly answer: Answer | undefined;
}

/** The StatefulSet. */
export interface ObservedSet {
  readonly templateHash: string;
  /** Pods from this number on follow; undefined with OnDelete. */
  readonly partition: number | undefined;
  /** Whether its controller has seen its latest state. */
  readonly isObserved: boolean;
  readonly currentRevision: string;
  readonly updateRevision: string;
}

/** What an upgrade is decided from. */
export interface Observed {
  readonly set: ObservedSet;
  /** By ordinal. */
  readonly servers: readonly Server[];
  /** What the leader observes of its members; undefined where nobody may ask it. */
  readonly members: AutopilotState | undefined;
}

/** How many entries of the log a server in sync may lack. */
const syncLimit = 100;

/** With fewer servers than these, none may be missing. */
const fewestWithSpare = 3;
export const hasSpare = ({ servers }: Pick<Observed, 'servers'>): boolean => servers.length >= fewestWithSpare;

/** The server that leads, if exactly one says so. */
export function leaderOf({ servers }: Pick<Observed, 'servers'>): (Server & { readonly answer: Answer }) | undefined {
  const leading = servers.flatMap((server) =>
    server.answer?.leads === true ? [{ ...server, answer: server.answer }] : [],
  );
  return leading.length === 1 ? leading[0] : undefined;
}

/** Why a server does not count as healthy; undefined when it does. */
function unhealthy({ name, pod, answer }: Server): string | undefined {
  if (pod?.isReady !== true) return `${name} to be ready`;
  if (answer === undefined) return `an answer of ${name}`;
  return answer.initialized && !answer.sealed ? undefined : `${name} to be unsealed`;
}

/** Why a server is not in sync with the leader; undefined when it is. */
export function outOfSync(server: Server, observed: Observed): string | undefined {
  const leader = leaderOf(observed);
  if (leader === undefined) return 'a pod that leads';
  if (leader.name === server.name) return undefined;
  const { answer, name } = server;
  const isFollower = answer !== undefined && answer.leader === leader.url;
  const lag = leader.answer.committed - (answer?.committed ?? 0);
  return isFollower && lag <= syncLimit ? undefined : `${name} to be in sync with ${leader.name}`;
}

/** What must be so before this pod may go; undefined when it may. With fewer than three servers there is nothing to keep. */
export function obstacleToLosing(ordinal: number | undefined, observed: Observed): string | undefined {
  if (!hasSpare(observed)) return undefined;
  const others = observed.servers.filter((_, index) => index !== ordinal);
  for (const each of others) {
    const problem = unhealthy(each) ?? outOfSync(each, observed);
    if (problem !== undefined) return problem;
  }
  return votersLacking(ordinal === undefined ? undefined : observed.servers[ordinal]?.name, observed);
}

/** What the leader says against it: a member that lags or that it does not hear, or too few that vote. */
function votersLacking(without: string | undefined, { members, servers }: Observed): string | undefined {
  if (members === undefined) {
    const other = servers.find(({ name, pod }) => name !== without && pod?.isNew === true);
    return other && `${other.name} to become a voter`;
  }
  const leader = members.servers.find(({ id }) => id === members.leader);
  const voters = members.servers.filter(({ status }) => status !== 'non-voter');
  const missing = servers.find(({ name }) => name !== without && !members.servers.some(({ id }) => id === name));
  if (missing !== undefined) return `${missing.name} to be a member of the Raft cluster`;
  const remaining = voters.filter(({ id }) => id !== without);
  const ailing = remaining.find(
    ({ isHealthy, lastIndex }) => !isHealthy || (leader?.lastIndex ?? lastIndex) - lastIndex > syncLimit,
  );
  if (ailing !== undefined) return `${ailing.id} to be healthy in the Raft cluster`;
  const quorum = Math.floor(voters.length / 2) + 1;
  return remaining.length < quorum ? 'further pods to become voters' : undefined;
}

/** Whether two texts name the same version. */
export const isSameVersion = (one: string, other: string): boolean => compareVersions(one, other) === 0;
