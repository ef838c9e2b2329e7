// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { configKey, labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { configHash, configHcl } from './config/config-hcl.ts';
import { withJoins, type Joins } from './config/storage-block.ts';
import { wrapper } from './wrapper.ts';

/** What the ConfigMap depends on besides the spec. */
interface ConfigMapInputs {
  /** Whom a pod with an empty disk joins. */
  readonly joins: Joins;
  /** Whether audit devices are written. */
  readonly audit: boolean;
  /** The configurations that pods still use, by key; undefined where one was deleted, which the current one replaces. */
  readonly kept: Readonly<Record<string, string | undefined>>;
}

/** The key of the script that starts a server. */
export const wrapperKey = 'wrapper.sh';

/**
 * The configuration of the servers: the current one, and under its hash each one that pods still use, so that a pod that restarts
 * finds its own. Which pods to join is the same in all of them, because no pod restarts when that changes.
 */
export function configMap(cluster: OpenBaoCluster, { joins, audit, kept }: ConfigMapInputs): ConfigMap {
  const current = configHcl(cluster, { joins, audit });
  const former = Object.entries(kept).map(([key, text = current]) => [key, withJoins(text, cluster, joins)]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: namesOf(cluster).config, labels: labelsOf(cluster) },
    data: {
      ...Object.fromEntries(former),
      'config.hcl': current,
      [configKey(configHash(cluster, { audit }))]: current,
      [wrapperKey]: wrapper,
    },
  };
}
