// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { Keystone } from '../api/keystone.ts';
import { madeSecretMessage, secretNamesOf } from '../api/secret-names.ts';

/**
 * Errors of references to Secrets that the operator itself creates. An unchanged reference is accepted, so that finalizers can
 * be removed.
 */
export function secretErrors(keystone: Keystone, before: Keystone | undefined): FieldError[] {
  const made: readonly string[] = Object.values(secretNamesOf(keystone.metadata.name));
  const old = before && readSecrets(before);
  return Object.entries(readSecrets(keystone))
    .filter(([field, name]) => made.includes(name) && old?.[field] !== name)
    .map(([field, name]) => invalidValue(field, name, madeSecretMessage(name)));
}

const readSecrets = ({ spec: { bootstrap, database } }: Keystone): Record<string, string> => ({
  'spec.bootstrap.adminPasswordSecretRef.name': bootstrap.adminPasswordSecretRef.name,
  'spec.database.secretRef.name': database.secretRef.name,
});
