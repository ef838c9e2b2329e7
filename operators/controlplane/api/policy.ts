// SPDX-License-Identifier: Apache-2.0
import { policyNameMessage } from '@forge/keystone/api/extensions.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import { mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { localReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';

export const policyValueMessage = 'policy rule value must not be empty';

/** Rules of oslo.policy, in the spec or in a ConfigMap. */
export const policy = (description: string) =>
  Type.Object(
    {
      rules: Type.Optional(
        mapOf(Type.String({ description: 'Rule for this name.' }), {
          description:
            'Rules by name, for example identity:list_users: "role:admin". They win over those of any configMapRef.',
        }),
      ),
      configMapRef: Type.Optional(
        localReference(
          'ConfigMap with further rules under the key policy.yaml.',
          'Name of the ConfigMap, in the same namespace.',
        ),
      ),
    },
    {
      description,
      ...rules(
        rule('!has(self.rules) || self.rules.all(k, size(k) > 0)', policyNameMessage),
        rule('!has(self.rules) || self.rules.all(k, size(self.rules[k]) > 0)', policyValueMessage),
      ),
    },
  );
