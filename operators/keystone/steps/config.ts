// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { failed, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { secretsReady } from '../contract/secrets.ts';
import type { Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { immutableConfigMap } from '../objects/config-map.ts';
import { configFiles } from '../objects/config/config-files.ts';
import { policyConfigMapOf, policyRules } from '../objects/config/policy-rules.ts';
import { step, type Services } from '../step.ts';
import { secrets } from './secrets.ts';

const policyConfigMap = reads<Keystone, Services, ConfigMap>(
  ConfigMap,
  (keystone) => [policyConfigMapOf(keystone)].filter((name) => name !== undefined),
  { predicate: ({ before, after }) => !jsonEqual(before?.data, after?.data) },
);

/** Renders the configuration into a ConfigMap whose name is its content. */
export const config = step({
  name: 'Config',
  condition: 'SecretsReady',
  needs: { secrets },
  owns: [owned(ConfigMap, 'create')],
  reads: [policyConfigMap],
  async run({ object: keystone, get, select, create }) {
    const files = await failOnError(
      (error) => secretsReady.configError({ error }),
      () => configFiles(keystone, policyRules(keystone, select(policyConfigMap)[0])),
    );
    const configMap = immutableConfigMap(keystone, namesOf(keystone).configBase, files);
    const existing = get(ConfigMap, configMap.metadata.name);
    if (existing !== undefined && !isOurs(existing, keystone)) {
      return failed(secretsReady.configError({ error: notOwned(existing, keystone) }));
    }
    await create(configMap);
    return ready(secretsReady.available(), { output: { configMap: configMap.metadata.name } });
  },
});

/** Whether the ConfigMap is controlled by this Keystone, or by an earlier one of its name, with which it is about to go. */
function isOurs(configMap: ConfigMap, { kind, metadata }: Keystone): boolean {
  const controller = controllerOf(configMap);
  return controller?.kind === kind && controller.name === metadata.name;
}

function notOwned({ metadata: { namespace, name } }: ConfigMap, keystone: Keystone): string {
  return `existing ConfigMap ${namespace}/${name} is not owned by ${namespace}/${keystone.metadata.name}`;
}
