// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { configBaseLabel, namesOf } from '../api/names.ts';
import { config } from './config.ts';
import { deployment } from './deployment.ts';
import { step } from './step.ts';

/** How many ConfigMaps are kept beside the current one, to roll back to. */
const retained = 3;

/** Deletes old configurations once no pod mounts them: before the rollout is complete, old pods still do. */
export const pruneConfigMaps = step({
  name: 'PruneConfigMaps',
  needs: { config, deployment },
  owns: [owned(ConfigMap, 'remove')],
  async run({ object: keystone, needs, list, remove, log }) {
    if (!needs.deployment.rolledOut) return ready();
    const base = namesOf(keystone).configBase;
    const { configMap, candidate, validated } = needs.config;
    const used = [configMap, candidate.configMap, validated?.configMap];
    const historical = list(ConfigMap, { labels: { [configBaseLabel]: base } }).filter(
      ({ metadata: { name } }) => name.startsWith(`${base}-`) && !used.includes(name),
    );
    for (const { metadata } of historical.toSorted(newestFirst).slice(retained)) {
      await remove(ConfigMap, metadata.name);
      log.info('pruned ConfigMap', { name: metadata.name, namespace: metadata.namespace });
    }
    return ready();
  },
});

function newestFirst({ metadata: a }: ConfigMap, { metadata: b }: ConfigMap): number {
  const age = (b.creationTimestamp ?? '').localeCompare(a.creationTimestamp ?? '');
  return age === 0 ? b.name.localeCompare(a.name) : age;
}
