// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, clusterLabel, configKey, namesOf } from '../api/names.ts';
import type { ContextWith } from '../clients/services.ts';
import { degradedCondition } from '../conditions/degraded.ts';
import { configMap } from '../objects/config-map.ts';
import { configHash } from '../objects/config/config-hcl.ts';
import type { Joins } from '../objects/config/storage-block.ts';
import { applied, ofCluster } from './adopted.ts';
import { dataClaims, hasOthers, serverPods } from './servers.ts';
import { step } from './step.ts';

/**
 * Writes the configuration of the servers: for each template that pods still have its own, so that a pod that restarts never
 * meets another one. Its output is the hash of the current one.
 */
export const config = step({
  name: 'Config',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  owns: [ofCluster(ConfigMap)],
  reads: [
    serverPods,
    dataClaims,
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
  ],
  async run(context) {
    const { object: cluster } = context;
    await applied(ConfigMap, configMap(cluster, { joins: joinsOf(context), kept: usedConfigs(context) }), context);
    return ready({ output: configHash(cluster, { audit: false }) });
  },
});

/** The configurations that pods are started with, or may be, by key; undefined what somebody has deleted. */
function usedConfigs({ object: cluster, get, select }: ContextWith): Record<string, string | undefined> {
  const { config: name, statefulSet } = namesOf(cluster);
  const { data = {} } = get(ConfigMap, name) ?? {};
  const template = get(StatefulSet, statefulSet)?.spec?.template.metadata;
  const hashes = [template, ...select(serverPods).map(({ metadata }) => metadata)].flatMap(
    (metadata) => metadata?.annotations?.[annotations.configHash] ?? [],
  );
  return Object.fromEntries(hashes.map((hash) => [configKey(hash), data[configKey(hash)]]));
}

/** Before initialisation pods join the first one; afterwards, and where others have data that the first may have lost, any that is ready. */
function joinsOf({ object: cluster, select }: ContextWith): Joins {
  const isAny = cluster.status?.initialized === true || hasOthers(cluster, select(dataClaims));
  return { with: isAny ? 'any-pod' : 'first-pod', pod: namesOf(cluster).pod(0) };
}
