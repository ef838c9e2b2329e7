// SPDX-License-Identifier: Apache-2.0
import { PersistentVolumeClaim, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { namesOf } from '../../api/names.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';

/** The servers of an environment. */
export type Servers = Environment['openbao'];

type Store = NonNullable<NonNullable<ReturnType<Servers['diskOf']>>['store']>;

export const names = namesOf(openbaoFixture());
export const at = (name: string) => ({ ...home, name });

export const isStatefulSet = (key: string) => key.startsWith(`${resourceName(StatefulSet)}/`);

/** The claims of the cluster, by their names: somebody may have taken their labels. */
export function claimsIn(cluster: ClusterState): PersistentVolumeClaim[] {
  const prefix = names.claim(0).slice(0, -1);
  return cluster
    .list(PersistentVolumeClaim)
    .filter(({ metadata }) => metadata.namespace === home.namespace && metadata.name.startsWith(prefix));
}

/** What is on the claims that have data. */
export function storesIn(servers: Servers, cluster: ClusterState): { claim: PersistentVolumeClaim; store: Store }[] {
  return claimsIn(cluster).flatMap((claim) => {
    const { store } = servers.diskOf(claim.metadata.uid ?? '') ?? {};
    return store === undefined ? [] : [{ claim, store }];
  });
}

/** The members of the cluster, by the newest data. */
export function memberIds(servers: Servers, cluster: ClusterState): ReadonlySet<string> {
  const copies = storesIn(servers, cluster).map(({ store }) => store.copy);
  const newest = copies.toSorted((one, other) => other.index - one.index)[0];
  return new Set(newest?.peers.map(({ id }) => id));
}

/** The root tokens of the data. */
export function rootTokensOf({ copy: { tokens } }: Store): string[] {
  return Object.entries(tokens).flatMap(([token, { policies }]) => (policies.includes('root') ? [token] : []));
}

/** The content of a Secret's key, in base64; undefined when it is not there. */
export const contentOf = (cluster: ClusterState, name: string, key: string): string | undefined =>
  cluster.find(Secret, at(name))?.data?.[key];
