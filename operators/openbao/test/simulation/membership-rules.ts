// SPDX-License-Identifier: Apache-2.0
import type { StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { processName } from './operator.ts';
import { ruleNames } from './rule-names.ts';
import type { Rules } from './rules.ts';
import { isStatefulSet, memberIds, names, storesIn, type Servers } from './stored-data.ts';

type Rule = Rules['rules'][string];
type Request = Parameters<Servers['onRequest']>;

/** What keeps servers from leaving wrongly, and those that have left from coming back. */
export const membershipRules = (servers: Servers): Rules['rules'] => ({
  [ruleNames.membersStay]: membersStay(servers),
  [ruleNames.removedStayOut]: removedStayOut(servers),
});

const replicasOf = (value: unknown) => (value as StatefulSet | undefined)?.spec?.replicas ?? 0;

/** The ordinals from the first number on, below the second. */
const between = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

/** A smaller StatefulSet of the operator takes away only pods whose servers are no members. */
const membersStay =
  (servers: Servers): Rule =>
  (cluster, { type, object: { key, value }, before }, writer) => {
    if (!isStatefulSet(key) || type === 'DELETED' || !writer.startsWith(processName) || before === undefined)
      return true;
    const members = memberIds(servers, cluster);
    const leaving = between(replicasOf(value), replicasOf(before.value));
    return leaving.every((ordinal) => !members.has(names.pod(ordinal)));
  };

/** A larger or new StatefulSet of the operator starts no pod with the data of a server that was removed. */
const removedStayOut =
  (servers: Servers): Rule =>
  (cluster, { type, object: { key, value }, before }, writer) => {
    if (!isStatefulSet(key) || type === 'DELETED' || !writer.startsWith(processName)) return true;
    const removed = removedIn(servers, cluster);
    return between(replicasOf(before?.value), replicasOf(value)).every((ordinal) => !removed.has(names.claim(ordinal)));
  };

/** The claims with data of servers that are no members any more. */
function removedIn(servers: Servers, cluster: ClusterState): Set<string> {
  const members = memberIds(servers, cluster);
  const claims = storesIn(servers, cluster).map(({ claim }) => claim.metadata.name);
  return new Set(claims.filter((claim) => !members.has(claim.slice('data-'.length))));
}

/** With fewer voters than these, the leader cannot be spared: another one must be there to take over. */
const fewestWithSpare = 3;

/** Whether enough servers are left that vote after this request: a leader that steps down may not come back. */
export function keepsQuorum([{ url, body }, { options }]: Request, servers: Servers): boolean {
  const [, does] = /\/v1\/sys\/(?:storage\/raft\/)?(remove-peer|step-down)$/.exec(url) ?? [];
  const [asked, { store }] = [servers.servers?.at(url), options.disk];
  if (does === undefined || asked === undefined || store === undefined) return true;
  const leaving =
    does === 'remove-peer'
      ? (JSON.parse(typeof body === 'string' ? body : '{}') as { server_id: string }).server_id
      : undefined;
  const voters = store.copy.peers.filter(({ id, voter }) => voter && id !== leaving).map(({ id }) => id);
  const running = new Set(servers.servers?.raft.membersOf(asked).map((each) => each.options.nodeId));
  const left = voters.filter((id) => running.has(id));
  if (does === 'remove-peer') return left.length > voters.length / 2;
  const others = left.filter((id) => id !== options.nodeId);
  return voters.length < fewestWithSpare ? others.length > 0 : others.length > voters.length / 2;
}
