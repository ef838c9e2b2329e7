// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { parsePolicy, type PolicyRules } from '@forge/openstack/policy.ts';
import type { Keystone } from '../../api/keystone.ts';

/** The file with the policy rules, in the ConfigMap of the user as in that of the configuration. */
export const policyFile = 'policy.yaml';

/** Name of the ConfigMap with policy rules, if the Keystone names one. */
export const policyConfigMapOf = ({ spec }: Keystone) => spec.policyOverrides?.configMapRef?.name;

/** The rules of the ConfigMap that the Keystone names, and over them its own. Throws when that ConfigMap holds none. */
export function policyRules(keystone: Keystone, referenced: ConfigMap | undefined): PolicyRules {
  const { rules = {} } = keystone.spec.policyOverrides ?? {};
  const name = policyConfigMapOf(keystone);
  return name === undefined ? rules : { ...rulesIn(referenced, `${keystone.metadata.namespace}/${name}`), ...rules };
}

function rulesIn(configMap: ConfigMap | undefined, name: string): PolicyRules {
  if (configMap === undefined) {
    throw new Error(`ConfigMap ${name} not found: create it, or name another in spec.policyOverrides.configMapRef`);
  }
  const text = fieldOf(configMap.data ?? {}, policyFile);
  if (text === undefined) throw new Error(`ConfigMap ${name} does not contain key "${policyFile}"`);
  const rules = parsed(text, name);
  if (rules === undefined) throw new Error(`ConfigMap ${name} key "${policyFile}" is empty or parsed to nil`);
  return rules;
}

function parsed(text: string, name: string): PolicyRules | undefined {
  try {
    return parsePolicy(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`ConfigMap ${name} key "${policyFile}" cannot be parsed: ${why}`, { cause: error });
  }
}
