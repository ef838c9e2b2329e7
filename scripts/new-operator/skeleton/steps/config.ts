// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { blocked, ready } from '@forge/runtime/steps/outcome.ts';
import { configReady } from '../conditions/config.ts';
import { configMap } from '../objects/config-map.ts';
import { step } from './step.ts';

/** Writes the text. */
export const config = step({
  name: 'Config',
  condition: 'ConfigReady',
  owns: [ConfigMap],
  async run({ object: specimen, apply }) {
    const { text } = specimen.spec;
    if (text === undefined) return blocked(configReady.noText());
    const { metadata } = await apply(configMap(specimen, text));
    return ready(configReady.written({ name: metadata.name }));
  },
});
