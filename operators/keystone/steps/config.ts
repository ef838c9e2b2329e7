// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/builtin.ts';
import { failed, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { step, type Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { immutableConfigMap } from '../objects/config-map.ts';
import { configFiles } from '../objects/keystone-conf.ts';
import { secrets } from './secrets.ts';

/** Renders the configuration into a ConfigMap whose name is its content. */
export const config = step({
  name: 'Config',
  condition: 'SecretsReady',
  needs: { secrets },
  owns: [owned(ConfigMap, 'create')],
  async run({ object: keystone, create }) {
    const files = rendered(keystone);
    if (files instanceof Error) return failed('ConfigError', files.message, files);
    const configMap = immutableConfigMap(keystone, namesOf(keystone).configBase, files);
    await create(configMap);
    return ready('SecretsAvailable', '', { output: { configMap: configMap.metadata.name } });
  },
});

function rendered(keystone: Keystone): Record<string, string> | Error {
  try {
    return configFiles(keystone);
  } catch (error) {
    return error as Error;
  }
}
