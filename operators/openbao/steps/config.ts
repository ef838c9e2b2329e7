// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, clusterLabel, configKey, isConfigKey, namesOf } from '../api/names.ts';
import type { ContextWith } from '../clients/services.ts';
import { degradedCondition } from '../conditions/degraded.ts';
import { configMap } from '../objects/config-map.ts';
import { configHash } from '../objects/config/config-hcl.ts';
import type { Joins } from '../objects/config/storage-block.ts';
import { applied, ofCluster } from './adopted.ts';
import { dataClaims, hasOthers, serverPods } from './servers.ts';
import { step } from './step.ts';

/**
 * Writes the configuration of the servers. Each pod template that is still in use keeps its own, so that a pod that restarts
 * finds the one that it was created with. The output is the hash of the current one.
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
    // An audit device that cannot open would use up the root token: such devices come with the first upgrade.
    const audit = cluster.status?.initialized === true;
    await applied(
      ConfigMap,
      configMap(cluster, { joins: joinsOf(context), audit, kept: usedConfigs(context) }),
      context,
    );
    return ready({ output: configHash(cluster, { audit }) });
  },
});

/**
 * The configurations that pods use or may be started with, by key; undefined those that were deleted. During a rollout a pod may
 * come back with a template that no other pod has, so that none goes before its end.
 */
function usedConfigs({ object: cluster, get, select }: ContextWith): Record<string, string | undefined> {
  const { config: name, statefulSet } = namesOf(cluster);
  const { data = {} } = get(ConfigMap, name) ?? {};
  const set = get(StatefulSet, statefulSet);
  const template = set?.spec?.template.metadata;
  const isRollingOut =
    cluster.status?.upgrade !== undefined || set?.status?.currentRevision !== set?.status?.updateRevision;
  const hashes = [template, ...select(serverPods).map(({ metadata }) => metadata)].flatMap(
    (metadata) => metadata?.annotations?.[annotations.configHash] ?? [],
  );
  const keys = [...hashes.map(configKey), ...(isRollingOut ? Object.keys(data).filter(isConfigKey) : [])];
  return Object.fromEntries(keys.map((key) => [key, data[key]]));
}

/** Before initialisation pods join the first one; afterwards, and if others have data that it may have lost, any ready pod. */
function joinsOf({ object: cluster, select }: ContextWith): Joins {
  const isAny = cluster.status?.initialized === true || hasOthers(cluster, select(dataClaims));
  return { with: isAny ? 'any-pod' : 'first-pod', pod: namesOf(cluster).pod(0) };
}
