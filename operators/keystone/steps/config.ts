// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { secretsReady } from '../contract/secrets.ts';
import { namesOf } from '../names.ts';
import { immutableConfigMap } from '../objects/config-map.ts';
import { configFiles } from '../objects/keystone-conf.ts';
import { step } from '../step.ts';
import { secrets } from './secrets.ts';

/** Renders the configuration into a ConfigMap whose name is its content. */
export const config = step({
  name: 'Config',
  condition: 'SecretsReady',
  needs: { secrets },
  owns: [owned(ConfigMap, 'create')],
  async run({ object: keystone, create }) {
    const files = await failOnError(
      (error) => secretsReady.configError({ error }),
      () => configFiles(keystone),
    );
    const configMap = immutableConfigMap(keystone, namesOf(keystone).configBase, files);
    await create(configMap);
    return ready(secretsReady.available(), { output: { configMap: configMap.metadata.name } });
  },
});
