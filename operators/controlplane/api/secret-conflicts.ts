// SPDX-License-Identifier: Apache-2.0
import { madeSecretMessage } from '@forge/keystone/api/secret-names.ts';
import type { ControlPlane } from './control-plane.ts';
import { madeSecretsOf } from './secret-names.ts';
import { secretFields, secretPairs, sharedSecretMessage, type SecretField } from './secret-rules.ts';
import { cloudsYamlOf, databaseClusterOf } from './settings.ts';

/** A field that names a Secret which something else needs. */
interface SecretConflict {
  readonly field: SecretField;
  readonly secret: string;
  readonly message: string;
}

/**
 * Fields that name one Secret, or one that is made for the ControlPlane. Conflicts that `before` had are left out: the schema
 * leaves them, too, so that finalizers can be removed.
 */
export function secretConflicts(controlPlane: ControlPlane, before?: ControlPlane): SecretConflict[] {
  const names = secretsNamedBy(controlPlane);
  const old = before && secretsNamedBy(before);
  const isNew = (...fields: readonly SecretField[]) => fields.some((field) => names[field] !== old?.[field]);
  const made = madeSecretsOf(controlPlane.metadata.name, databaseClusterOf(controlPlane));
  return [
    ...(Object.keys(secretFields) as SecretField[])
      .filter((field) => made.includes(names[field]) && isNew(field))
      .map((field) => ({ field, secret: names[field], message: madeSecretMessage(names[field]) })),
    ...secretPairs
      .filter(([one, other]) => names[one] === names[other] && isNew(one, other))
      .map(([one, other]) => ({ field: one, secret: names[one], message: sharedSecretMessage(names[one], other) })),
  ];
}

const secretsNamedBy = (controlPlane: ControlPlane): Record<SecretField, string> => ({
  cloudsYaml: cloudsYamlOf(controlPlane),
  adminPassword: controlPlane.spec.korc.adminCredential.passwordSecretRef.name,
  database: controlPlane.spec.infrastructure.database.secretRef.name,
});
