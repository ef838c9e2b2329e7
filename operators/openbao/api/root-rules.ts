// SPDX-License-Identifier: Apache-2.0
import { rules } from '@forge/kube/schema/rules.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { schemaRule, type CelRule } from './cel-rule.ts';
import { defaultKeyID } from './seals.ts';

const keyID = (of: string) =>
  `(has(${of}.spec.unseal.static) ? ${of}.spec.unseal.static.currentKeyID : '${defaultKeyID}')`;

/** What stays as it is once there is data that depends on it; `old` is the resource before the change. */
const onceInitialised = (old: string, field: string, unchanged: string, why: string): CelRule => ({
  expression: `!(has(${old}.status) && has(${old}.status.initialized) && ${old}.status.initialized) || ${unchanged}`,
  message: `${field.slice(1)} cannot be changed once the cluster is initialised: ${why}; restore the former value`,
});

/** An empty StorageClass is the same as none. */
const storageClass = (of: string) =>
  `(has(${of}.spec.storage.storageClassName) ? ${of}.spec.storage.storageClassName : '')`;

const storageValues = {
  '.spec.storage.size': (of: string) => `${of}.spec.storage.size`,
  '.spec.storage.storageClassName': storageClass,
};

/** Volumes stay as they are once they hold data: the rules by the fields that they are about. */
export const storageRules = (now: string, old: string): [field: string, rule: CelRule][] =>
  Object.entries(storageValues).map(([field, value]) => [
    field,
    onceInitialised(old, field, `${value(now)} == ${value(old)}`, 'its volumes cannot follow'),
  ]);

const unsealRule = (field: string, unchanged: string) =>
  schemaRule(onceInitialised('oldSelf', field, unchanged, 'its data could not be unsealed any more'), field);

/** Rules about the whole resource: its name, and what its status makes final. */
export const rootRules = rules(
  // A rule cannot name a field of metadata; its message does.
  rule('size(self.metadata.name) <= 35', 'metadata.name must be at most 35 characters'),
  rule(
    "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    'metadata.name must have only lower-case letters, digits and -, beginning with a letter and ending with a letter or digit: ' +
      'Services are named like it',
  ),
  ...storageRules('self', 'oldSelf').map(([field, each]) => schemaRule(each, field)),
  unsealRule('.spec.unseal.type', 'self.spec.unseal.type == oldSelf.spec.unseal.type'),
  unsealRule('.spec.unseal.static.currentKeyID', `${keyID('self')} == ${keyID('oldSelf')}`),
);
