// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { clusterLabel, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { ContextWith, Services } from '../clients/services.ts';
import { serverTrust, type ServerTrust } from '../objects/tls/server-trust.ts';

/** What `trustOf` reads. */
export const authorities = [
  reads<OpenBaoCluster, Services, Secret>(Secret, (cluster) => [namesOf(cluster).caSecret]),
  reads<OpenBaoCluster, Services, ConfigMap>(ConfigMap, (cluster) => [namesOf(cluster).trustedAuthorities], {
    selector: clusterLabel,
  }),
] as const;

/** Whom to trust, as it is published now. */
export const trustOf = ({ object: cluster, get }: Pick<ContextWith, 'object' | 'get'>): ServerTrust => {
  const { caSecret, trustedAuthorities } = namesOf(cluster);
  return serverTrust(cluster, { secret: get(Secret, caSecret), trusted: get(ConfigMap, trustedAuthorities) });
};
