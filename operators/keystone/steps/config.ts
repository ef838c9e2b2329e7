// SPDX-License-Identifier: Apache-2.0
// Pods mount a configuration by the name of its ConfigMap, and the name is a digest of the content. So a change of spec makes
// another ConfigMap, which rolls the pods. prune-config-maps.ts keeps the last three that nothing uses, to roll back to.
//
// What is rendered is only a candidate while it has policy overrides that nobody validated (policy-validation.ts). Until
// then, and while spec cannot be rendered at all, the last valid configuration stays in use, and the condition says what is
// wrong. The content carries no password: db-connection-secret.ts says where that is.
import { ConfigMap, Deployment } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { isControlledBy, isOfEarlierOwner } from '@forge/runtime/objects/owner-reference.ts';
import { isFault } from '@forge/runtime/steps/fault.ts';
import { degraded, ready, waiting, type Outcome } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { Keystone } from '../api/keystone.ts';
import { namesOf } from '../api/names.ts';
import type { Services } from '../clients/services.ts';
import { secretsReady } from '../conditions/secrets.ts';
import { deployedConfig } from '../objects/api/deployed-config.ts';
import { immutableConfigMap } from '../objects/config-map.ts';
import { configFiles } from '../objects/config/config-files.ts';
import { policyConfigMapOf, policyFile, policyRules } from '../objects/config/policy-rules.ts';
import { secrets } from './secrets.ts';
import { step } from './step.ts';

/** The configuration, as far as it is known to be valid. */
interface Configuration {
  /** What Jobs and CronJobs mount: that of spec, or the last valid one until the policy of spec is validated. */
  readonly configMap: string;
  /** What is to be validated: that of spec, or the last valid one while that of spec cannot be rendered. */
  readonly candidate: { readonly configMap: string; readonly hasPolicy: boolean };
  /** What API pods run while the candidate is not valid; undefined when nothing was valid yet, or it is gone. */
  readonly validated: NonNullable<Keystone['status']>['validatedConfig'];
}

const policyConfigMap = reads<Keystone, Services, ConfigMap>(
  ConfigMap,
  (keystone) => [policyConfigMapOf(keystone)].filter((name) => name !== undefined),
  { predicate: ({ before, after }) => !jsonEqual(before?.data, after?.data) },
);

/** Renders the configuration into a ConfigMap whose name is its content; the last valid one stays in use until it is valid. */
export const config = step({
  name: 'Config',
  condition: 'SecretsReady',
  needs: { secrets },
  owns: [owned(ConfigMap, 'create')],
  reads: [policyConfigMap, reads(Deployment, (keystone) => [namesOf(keystone).api], { predicate: () => false })],
  async run({ object: keystone, get, select, create }): Promise<Outcome<Configuration, never>> {
    // An earlier version of the operator did not remember it: it deployed only what was valid.
    const last = keystone.status?.validatedConfig ?? deployedConfig(get(Deployment, namesOf(keystone).api), keystone);
    const kept = last && get(ConfigMap, last.configMap);
    const validated = kept === undefined ? undefined : last;
    const gone = last !== undefined && kept === undefined ? goneText(last, keystone) : undefined;
    const outputOf = (configMap: string, candidate: Configuration['candidate']) => ({
      configMap,
      candidate,
      validated,
    });
    try {
      const wanted = renderConfigMap(keystone, select(policyConfigMap)[0]);
      const existing = get(ConfigMap, wanted.metadata.name);
      if (existing !== undefined && !isOurs(existing, keystone)) throw new Error(notOwned(existing, keystone));
      const candidate = candidateOf(await create(wanted));
      const isUsed = !candidate.hasPolicy || last === undefined || last.configMap === candidate.configMap;
      const output = outputOf(isUsed ? candidate.configMap : (validated ?? candidate).configMap, candidate);
      if (isUsed || gone === undefined) return ready(secretsReady.available(), { output });
      return degraded(secretsReady.configError({ error: gone }), { output });
    } catch (error) {
      if (isFault(error)) throw error;
      const text = error instanceof Error ? error.message : String(error);
      const statement = secretsReady.configError({ error: gone === undefined ? text : `${text}; ${gone}` });
      if (kept === undefined) return waiting(statement);
      return degraded(statement, { output: outputOf(kept.metadata.name, candidateOf(kept)) });
    }
  },
});

function renderConfigMap(keystone: Keystone, policies: ConfigMap | undefined): ConfigMap {
  const files = configFiles(keystone, policyRules(keystone, policies));
  return immutableConfigMap(keystone, namesOf(keystone).configBase, files);
}

function candidateOf({ metadata, data = {} }: ConfigMap): Configuration['candidate'] {
  return { configMap: metadata.name, hasPolicy: policyFile in data };
}

/** Whether the ConfigMap is controlled by this Keystone, or by an earlier one of its name, with which it is about to go. */
function isOurs(configMap: ConfigMap, keystone: Keystone): boolean {
  return isControlledBy(configMap, keystone) || isOfEarlierOwner(configMap, keystone);
}

function notOwned({ metadata: { namespace, name } }: ConfigMap, keystone: Keystone): string {
  return `existing ConfigMap ${namespace}/${name} is not owned by ${namespace}/${keystone.metadata.name}`;
}

function goneText({ configMap }: { configMap: string }, { metadata }: Keystone): string {
  return `ConfigMap ${metadata.namespace}/${configMap} with the last valid configuration is gone: API pods stay as they are until that of spec is valid`;
}
