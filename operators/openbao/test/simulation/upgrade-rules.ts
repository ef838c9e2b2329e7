// SPDX-License-Identifier: Apache-2.0
import { Pod, type StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { compareVersions } from '../../api/version.ts';
import { home } from '../openbao-fixture.ts';
import { observeRequests } from './observe-requests.ts';
import { processName } from './operator.ts';
import { ruleNames } from './rule-names.ts';
import type { Rules } from './rules.ts';
import { isStatefulSet, names, rootTokensOf, storesIn, type Servers } from './stored-data.ts';

type Rule = Rules['rules'][string];
type Invariant = Rules['invariants'][string];

/** What keeps an upgrade from breaking the cluster. */
export function upgradeRules(servers: Servers): Rules {
  return {
    rules: {
      [ruleNames.podsStay]: podsStay,
      [ruleNames.othersStay]: othersStay(servers),
    },
    invariants: {
      [ruleNames.noPodGoesBack]: noPodGoesBack(servers),
      [ruleNames.rootForStepDown]: rootForStepDown(servers),
    },
  };
}

const lives = (cluster: ClusterState) => {
  const { status, metadata } = cluster.find(OpenBaoCluster, home) ?? {};
  return status?.initialized === true && metadata?.deletionTimestamp === undefined;
};

/** Pods from this number on follow the template. */
function followersOf(set: StatefulSet | undefined): number {
  const { updateStrategy, replicas = 0 } = set?.spec ?? {};
  return updateStrategy?.type === 'OnDelete' ? replicas : (updateStrategy?.rollingUpdate?.partition ?? 0);
}

/** While the cluster lives: a template changes while nobody follows it, and of the pods that stay one more follows at a time. */
const podsStay: Rule = (cluster, { type, object: { key, value }, before }, writer) => {
  if (!isStatefulSet(key) || !writer.startsWith(processName) || type === 'DELETED' || !lives(cluster)) return true;
  const [set, former] = [value as StatefulSet, before?.value as StatefulSet | undefined];
  if (former === undefined) return true;
  const replicas = set.spec?.replicas ?? 0;
  const isSame = JSON.stringify(set.spec?.template) === JSON.stringify(former.spec?.template);
  const isStepwise = Math.min(followersOf(former), replicas) - followersOf(set) <= 1 || isComplete(cluster, set);
  return (isSame || followersOf(set) >= replicas) && isStepwise;
};

/** Whether all pods have the template. */
const isComplete = (cluster: ClusterState, { status }: StatefulSet) =>
  podsIn(cluster).every(({ metadata }) => metadata.labels?.['controller-revision-hash'] === status?.updateRevision);

const podsIn = (cluster: ClusterState) =>
  cluster
    .list(Pod)
    .filter(({ metadata: { namespace, name } }) => namespace === home.namespace && /^demo-\d+$/.test(name))
    .filter(({ metadata }) => metadata.labels?.['controller-revision-hash'] !== undefined);

/** The pod that a write releases: the one that follows the template from then on, and has another. */
function releasedBy(cluster: ClusterState, set: StatefulSet, former: StatefulSet | undefined): string | undefined {
  const next = followersOf(set);
  if (former === undefined || next >= followersOf(former)) return undefined;
  const pod = podsIn(cluster).find(({ metadata }) => metadata.name === names.pod(next));
  return pod?.metadata.labels?.['controller-revision-hash'] === set.status?.updateRevision
    ? undefined
    : names.pod(next);
}

const fewestWithSpare = 3;

/** With fewer than three pods, none can be spared. */
const othersStay =
  (servers: Servers): Rule =>
  (cluster, { type, object: { key, value }, before }, writer) => {
    if (!isStatefulSet(key) || !writer.startsWith(processName) || type === 'DELETED' || !lives(cluster)) return true;
    const set = value as StatefulSet;
    const released = releasedBy(cluster, set, before?.value as StatefulSet | undefined);
    if (released === undefined || (set.spec?.replicas ?? 0) < fewestWithSpare) return true;
    const others = podsIn(cluster).filter(({ metadata }) => metadata.name !== released);
    return others.length >= (set.spec?.replicas ?? 0) - 1 && hasQuorumWithout(released, servers, cluster);
  };

/** Whether the voters that run and are unsealed are enough without this one. */
function hasQuorumWithout(name: string, servers: Servers, cluster: ClusterState): boolean {
  const running = podsIn(cluster).flatMap(({ metadata }) => servers.serverIn({ ...home, name: metadata.name }) ?? []);
  const leader = running.find(({ leads }) => leads) ?? running.find(({ isUnsealed }) => isUnsealed);
  const peers = leader?.options.disk.store?.copy.peers ?? [];
  const voters = peers.filter(({ voter }) => voter);
  const alive = voters.filter(
    ({ id }) => id !== name && running.some(({ options, isUnsealed }) => options.nodeId === id && isUnsealed),
  );
  return alive.length > voters.length / 2;
}

function noPodGoesBack(servers: Servers): Invariant {
  const highest = new Map<string | undefined, string>();
  return (cluster) =>
    storesIn(servers, cluster).every(({ claim }) => {
      const pod = claim.metadata.name.slice('data-'.length);
      const running = servers.serverIn({ namespace: home.namespace, name: pod });
      if (running === undefined) return true;
      const { uid } = claim.metadata;
      const before = highest.get(uid) ?? '';
      if (compareVersions(running.options.version, before) >= 0) highest.set(uid, running.options.version);
      return compareVersions(running.options.version, before) >= 0;
    });
}

function rootForStepDown(servers: Servers): Invariant {
  let isMisused = false;
  observeRequests(servers, ({ url, headers = {} }, { options }) => {
    const { 'x-vault-token': token } = headers as Record<string, unknown>;
    const sent = token instanceof SecretValue ? token.reveal() : token;
    const { store } = options.disk;
    const isRoot = store !== undefined && typeof sent === 'string' && rootTokensOf(store).includes(sent);
    const isAllowed = url.endsWith('/sys/step-down') || url.endsWith('/auth/token/lookup-self');
    isMisused ||= isRoot && !isAllowed;
  });
  return () => !isMisused;
}
