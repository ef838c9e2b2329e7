// SPDX-License-Identifier: Apache-2.0
import type { PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { serverPodLabels } from './server-labels.ts';

/** The fewest servers of which one may be missing. */
const quorumSize = 3;

/**
 * Lets a drain evict one server at a time; undefined where every server is needed, or else no node could ever be drained. Servers
 * that have not left yet count.
 */
export function serverDisruptionBudget(cluster: OpenBaoCluster, running: number): PodDisruptionBudget | undefined {
  if (Math.max(cluster.spec.replicas, running) < quorumSize) return undefined;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: namesOf(cluster).podDisruptionBudget, labels: labelsOf(cluster) },
    spec: { maxUnavailable: 1, selector: { matchLabels: serverPodLabels(cluster) } },
  };
}
