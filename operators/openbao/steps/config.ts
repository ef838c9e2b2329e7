// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { degraded } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { clusterLabel } from '../api/names.ts';
import { available } from '../conditions/available.ts';
import { configMap } from '../objects/config-map.ts';
import { step } from './step.ts';

/** Writes the configuration of the servers, which nothing starts yet. */
export const config = step({
  name: 'Config',
  condition: 'Available',
  owns: [owned(ConfigMap, 'apply', { selector: clusterLabel })],
  async run({ object: cluster, apply }) {
    const { metadata } = await apply(configMap(cluster));
    return degraded(available.notStarted({ name: metadata.name }));
  },
});
