// SPDX-License-Identifier: Apache-2.0
import { clusterLabel, clusterServerName, podUrl, revisionLabel } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { acmeDomains, tlsFiles } from './listener-block.ts';
import { attributes, renderHcl, type HclBlock, type HclItem } from './render-hcl.ts';

/** Whom a pod with an empty disk joins. */
export type Joins =
  /** Before initialisation: pod 0, which is about to be initialised. */
  | { readonly with: 'first-pod'; readonly pod: string }
  /** Afterwards: pod 0, or any pod of the cluster. */
  | { readonly with: 'any-pod'; readonly pod: string }
  /** Pods of a new revision: those of the one that serves, without a vote. */
  | { readonly with: 'blue'; readonly revision: string }
  | { readonly with: 'nobody' };

/** Raft storage on the pod's volume; which node it is, its environment says. */
export function storageBlock(cluster: OpenBaoCluster, joins: Joins): HclBlock {
  return {
    type: 'storage',
    labels: ['raft'],
    body: [{ name: 'path', value: '/bao/data' }, ...joinItems(cluster, joins)],
  };
}

/** A rendered configuration in which pods join as they should now; all else stays as it was written. */
export const withJoins = (text: string, cluster: OpenBaoCluster, joins: Joins): string =>
  text.replace(/^storage "raft" \{\n[^]*?^\}\n/m, () => renderHcl([storageBlock(cluster, joins)]));

function joinItems(cluster: OpenBaoCluster, joins: Joins): HclItem[] {
  const { name } = cluster.metadata;
  const all = `${clusterLabel}=${name}`;
  switch (joins.with) {
    case 'nobody':
      return [];
    case 'first-pod':
      return [joinPod(cluster, joins.pod)];
    case 'any-pod':
      return [joinPod(cluster, joins.pod), joinLabelled(cluster, all)];
    case 'blue':
      return [
        { name: 'retry_join_as_non_voter', value: true },
        joinLabelled(cluster, `${all},${revisionLabel}=${joins.revision}`),
      ];
  }
}

const joinPod = (cluster: OpenBaoCluster, pod: string): HclBlock =>
  retryJoin(cluster, { leader_api_addr: podUrl(cluster, pod) });

/** Pods are found by their labels, as addresses: what a certificate must say is therefore named. */
const joinLabelled = (cluster: OpenBaoCluster, selector: string): HclBlock =>
  retryJoin(cluster, {
    auto_join: `provider=k8s namespace=${cluster.metadata.namespace} label_selector="${selector}"`,
    leader_tls_servername: isAcme(cluster) ? acmeDomains(cluster)[0] : clusterServerName(cluster),
  });

const retryJoin = (cluster: OpenBaoCluster, target: Readonly<Record<string, string | undefined>>): HclBlock => ({
  type: 'retry_join',
  body: attributes({
    ...target,
    ...(!isAcme(cluster) && {
      leader_ca_cert_file: tlsFiles.ca,
      leader_client_cert_file: tlsFiles.certificate,
      leader_client_key_file: tlsFiles.key,
    }),
  }),
});

const isAcme = ({ spec: { tls } }: OpenBaoCluster) => tls.mode === 'ACME';
