// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { configHcl } from './config/config-hcl.ts';

/** The ConfigMap with the configuration of the servers. */
export function configMap(cluster: OpenBaoCluster): ConfigMap {
  const names = namesOf(cluster);
  const initialized = cluster.status?.initialized === true;
  const joins = { with: initialized ? 'any-pod' : 'first-pod', pod: names.pod(0) } as const;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: names.config, labels: labelsOf(cluster) },
    data: { 'config.hcl': configHcl(cluster, { joins, initialized }) },
  };
}
