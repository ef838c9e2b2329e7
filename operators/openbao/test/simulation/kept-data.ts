// SPDX-License-Identifier: Apache-2.0
import { Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { annotations } from '../../api/names.ts';
import { certificateHash } from '../../objects/tls/stored-certificates.ts';
import { at, contentOf, names, rootTokensOf, storesIn, type Servers } from './stored-data.ts';

/** What the servers hold at the end, and whether what is kept beside them fits. */
export type KeptData = ReturnType<typeof keptBy>;

/** The same, of this cluster. */
export function keptBy(servers: Servers, cluster: ClusterState) {
  const stores = storesIn(servers, cluster);
  const pods = cluster.list(Pod).filter(({ metadata }) => metadata.name.startsWith(names.pod(0).slice(0, -1)));
  const running = pods.flatMap(({ metadata: { namespace = '', name } }) => servers.serverIn({ namespace, name }) ?? []);
  const token = contentOf(cluster, names.rootTokenSecret, 'token');
  const key = contentOf(cluster, names.unsealKeySecret, 'key');
  const served = cluster.find(Secret, at(names.serverSecret));
  return {
    clusters: new Set(stores.map(({ store }) => store.copy.clusterId)).size,
    data: Object.fromEntries(stores.map(({ claim, store: { copy } }) => [claim.metadata.name, membersOf(copy)])),
    servers: running
      .map(({ options, isUnsealed }) => `${options.nodeId} ${options.version} ${isUnsealed ? 'unsealed' : 'sealed'}`)
      .toSorted(),
    leaders: running.filter(({ leads }) => leads).length,
    tokenWorks: token === undefined ? 'none' : stores.every(({ store }) => rootTokensOf(store).includes(atob(token))),
    keyFits: key === undefined ? 'none' : stores.every(({ store }) => [key, 'transit'].includes(store.sealKey)),
    outdated: served === undefined ? [] : outdatedAmong(pods, certificateHash(served)),
  };
}

/** The pods that have not been notified of this certificate. */
const outdatedAmong = (pods: readonly Pod[], hash: string) =>
  pods.flatMap(({ metadata: { name, annotations: marks } }) =>
    marks?.[annotations.certificateHash] === hash ? [] : [name],
  );

const membersOf = ({ peers, nonVoters }: ReturnType<typeof storesIn>[number]['store']['copy']) => ({
  peers: peers.map(({ id, voter }) => `${id} ${voter ? 'votes' : 'does not vote'}`).toSorted(),
  nonVoters: nonVoters.toSorted(),
});
