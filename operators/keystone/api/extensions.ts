// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import { choice, mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { maxRules } from '@forge/openstack/policy.ts';
import { localReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';

const options = (description: string) => mapOf(Type.String({ description: 'Value of this option.' }), { description });

const middlewareFilter = Type.Object(
  {
    name: nonEmpty('Name of the filter, for example audit.', { maxLength: 255 }),
    filterFactory: nonEmpty('Python entry point of the filter, for example audit_middleware:filter_factory.', {
      maxLength: 255,
    }),
    position: choice(['before', 'after'], {
      description: 'Whether the filter stands before or after the filters of Keystone itself.',
    }),
    config: Type.Optional(options("Options of the filter's section.")),
  },
  { description: 'One filter.' },
);

/** WSGI filters; two of one name would be one section. */
export const middleware = Type.Array(middlewareFilter, {
  description:
    'WSGI filters written into api-paste.ini; every name once. They have no effect on requests: no supported release of ' +
    'Keystone reads that file.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});

const plugin = Type.Object(
  {
    name: nonEmpty('Name of the plugin, for example keystone-keycloak-backend.', { maxLength: 255 }),
    configSection: nonEmpty(
      'Section of keystone.conf that configures it, for example keycloak; no other plugin may have the same.',
      {
        maxLength: 255,
      },
    ),
    config: Type.Optional(options('Options of that section.')),
  },
  { description: 'One plugin.' },
);

/** Drivers; every section belongs to one of them. */
export const plugins = Type.Array(plugin, {
  description: 'Plugins and drivers to configure; every configSection once.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['configSection'],
});

export const policySourceMessage = 'at least one of rules or configMapRef must be set';
export const policyNameMessage = 'policy rule name must not be empty';
export const policyValueMessage = 'policy rule must not be empty; use "@" to allow everybody and "!" to allow nobody';

export const policyOverrides = Type.Object(
  {
    rules: Type.Optional(
      mapOf(Type.String({ description: 'Rule for this name.' }), {
        description:
          'Rules by name, for example identity:list_users: "role:admin". They win over those of configMapRef.',
        maxProperties: maxRules,
      }),
    ),
    configMapRef: Type.Optional(
      localReference(
        'ConfigMap with further rules under the key policy.yaml.',
        'Name of the ConfigMap, in the namespace of the Keystone.',
      ),
    ),
  },
  {
    description: 'Rules of oslo.policy in place of the built-in ones; checked by a Job before they reach running pods.',
    ...rules(
      rule('(has(self.rules) && size(self.rules) > 0) || has(self.configMapRef)', policySourceMessage),
      rule("!has(self.rules) || self.rules.all(name, name != '')", policyNameMessage),
      rule("!has(self.rules) || self.rules.all(name, self.rules[name] != '')", policyValueMessage),
    ),
  },
);
