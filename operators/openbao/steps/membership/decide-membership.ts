// SPDX-License-Identifier: Apache-2.0
// What to do next about the number of servers, from what is observed. A server leaves in these steps, each of them in its own
// pass and each decided anew, so that an operator may end between any two of them:
//
// - it leads: it steps down, and another one is seen to lead
// - it is a member: it is removed from the Raft cluster, once all others that vote are healthy and in sync
// - it is no member: the set gets smaller by one
// - its pod is gone: its claim is deleted, if it is still no member
//
// The server with the highest number leaves first. Servers are added all at once, but none where a removal is not finished.
import type { namesOf } from '../../api/names.ts';
import type { AutopilotState, RaftServer } from '../../clients/openbao-answers.ts';
import { leavingAmong, type ClaimView } from './removal.ts';
import { startingReplicas } from './starting-replicas.ts';

/** The Raft cluster as its confirmed leader knows it. */
export interface RaftView {
  /** The pod that leads. */
  readonly leader: string;
  readonly members: readonly RaftServer[];
  /** Undefined while the leader has observed nothing, and where nobody leaves. */
  readonly autopilot?: AutopilotState | undefined;
}

/** Why it is not known who is a member. */
export interface RaftUnknown {
  readonly unknown: string;
}

/** What the decision depends on. */
export interface Observed {
  readonly wanted: number;
  /** The replicas of the StatefulSet. */
  readonly current: number;
  readonly isUpgrading: boolean;
  readonly claims: readonly ClaimView[];
  /** By name, whether they are ready, and not terminating. */
  readonly pods: ReadonlyMap<string, boolean>;
  readonly names: Pick<ReturnType<typeof namesOf>, 'pod' | 'claim'>;
  readonly raft: RaftView | RaftUnknown;
  /** Whether there is a credential with which servers may be removed. */
  readonly mayRemove: boolean;
}

/** What to do, and with which server. */
export type Decision =
  | { readonly does: 'nothing'; readonly replicas: number }
  | { readonly does: 'hold'; readonly ordinal: number; readonly cause: string }
  | { readonly does: 'step down' | 'remove' | 'shrink' | 'await pod' | 'delete claim'; readonly ordinal: number };

/** Entries of the log by which a server that is in sync may be behind. */
const mostBehind = 100;

/** Why it is unknown who is a member where nobody was asked. */
export const noReadingCredential = 'no upgrade or backup credential';

/** What a scale-down asks for when nobody has set up its credential. */
const noUpgradeCredential =
  'servers leave the Raft cluster only with a credential for upgrades: run forge seed, and set spec.upgrade.jwtAuthRole';

export const isUnknown = (raft: RaftView | RaftUnknown): raft is RaftUnknown => 'unknown' in raft;

/** Decides. */
export function decideMembership(seen: Observed): Decision {
  const { wanted, current, isUpgrading, claims, pods, names, raft, mayRemove } = seen;
  // Nobody leaves: where somebody has made the set smaller, the claims still tell its size.
  if (isUpgrading) {
    const claimed = startingReplicas({ wanted: current, isInitialized: true, claims });
    return { does: 'nothing', replicas: Math.max(current, claimed) };
  }
  const ordinal = leaverIn(seen);
  if (ordinal === undefined) return { does: 'nothing', replicas: Math.max(wanted, current) };
  if (isUnknown(raft)) return { does: 'hold', ordinal, cause: mayRemove ? raft.unknown : noUpgradeCredential };
  const id = names.pod(ordinal);
  if (raft.members.some((member) => member.id === id)) {
    const cause = mayRemove ? obstacleTo(id, raft, seen) : noUpgradeCredential;
    if (cause !== undefined) return { does: 'hold', ordinal, cause };
    return { does: raft.leader === id ? 'step down' : 'remove', ordinal };
  }
  if (ordinal < current) return { does: 'shrink', ordinal };
  return { does: pods.has(id) ? 'await pod' : 'delete claim', ordinal };
}

/** The server that leaves now: one whose removal is not finished above the set, or else the last of a set that is too large. */
export function leaverIn({ wanted, current, claims }: Pick<Observed, 'wanted' | 'current' | 'claims'>) {
  const leaving = leavingAmong(claims);
  const isTooLarge = current > Math.max(1, Math.min(wanted, ...leaving));
  const last = Math.max(isTooLarge ? current - 1 : 0, ...leaving.filter((ordinal) => ordinal >= current));
  return last === 0 ? undefined : last;
}

/** Why this server must not be removed or step down now: the others must be able to do without it. */
function obstacleTo(id: string, { leader, members, autopilot }: RaftView, seen: Observed): string | undefined {
  if (autopilot?.leader !== leader) return `waiting until ${leader} has observed the other servers`;
  const others = members.filter((member) => member.isVoter && member.id !== id);
  if (others.length === 0) return 'waiting until another server votes';
  const leads = autopilot.servers.find((server) => server.id === leader);
  // What the leader observes trails by seconds: a pod that has just ended still counts as healthy.
  const own = new Set(podsIn(seen));
  const behind = others.find((member) => {
    const server = autopilot.servers.find((each) => each.id === member.id);
    const isInSync = server !== undefined && (leads?.lastIndex ?? Infinity) - server.lastIndex <= mostBehind;
    return !isInSync || !server.isHealthy || (own.has(member.id) && seen.pods.get(member.id) !== true);
  });
  return behind && `waiting until ${behind.id} is healthy and in sync`;
}

/** The ready pods whose servers are no members, and are not about to leave: what they answer is out of date. */
export function strangersAmong(seen: Observed): number[] {
  const { claims, pods, raft } = seen;
  if (isUnknown(raft)) return [];
  const leaving = new Set(claims.filter(({ removal }) => removal !== undefined).map(({ ordinal }) => ordinal));
  const leaver = leaverIn(seen);
  return podsIn(seen).flatMap((id, ordinal) => {
    const isMember = raft.members.some((member) => member.id === id);
    return pods.get(id) === true && !isMember && !leaving.has(ordinal) && ordinal !== leaver ? [ordinal] : [];
  });
}

/** The names of the pods of the set. */
const podsIn = ({ current, names }: Observed) => Array.from({ length: current }, (_, ordinal) => names.pod(ordinal));
