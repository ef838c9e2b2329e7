// SPDX-License-Identifier: Apache-2.0
import type { ControlPlane } from '../api/control-plane.ts';
import { defaults } from '../api/defaults.ts';
import { namesOf, remoteKeysOf } from '../api/names.ts';
import { isManaged } from '../api/settings.ts';

/** Warnings about fields that somebody set and nothing reads. */
export function ignoredFields(controlPlane: ControlPlane): string[] {
  return [...unreadSecrets(controlPlane), ...reservedFields(controlPlane)];
}

/** With a managed database both credentials come from OpenBao; names that defaulting sets were not chosen by anyone. */
function unreadSecrets(controlPlane: ControlPlane): string[] {
  if (!isManaged(controlPlane)) return [];
  const { infrastructure, korc } = controlPlane.spec;
  const { secretRef } = infrastructure.database;
  const { passwordSecretRef } = korc.adminCredential;
  const keys = remoteKeysOf(controlPlane);
  const names = namesOf(controlPlane);
  return [
    ...(isDefault(secretRef, { name: defaults.databaseSecret, key: defaults.passwordKey })
      ? []
      : [unread('spec.infrastructure.database.secretRef', secretRef, keys.database, names.dbCredentials)]),
    ...(isDefault(passwordSecretRef, { name: defaults.passwordSecret, key: defaults.passwordKey })
      ? []
      : [
          unread(
            'spec.korc.adminCredential.passwordSecretRef',
            passwordSecretRef,
            keys.adminPassword,
            names.adminPassword,
          ),
        ]),
  ];
}

function unread(field: string, { name, key }: { name: string; key?: string }, path: string, secret: string): string {
  const what = key ? `key ${key} of Secret ${name}` : `Secret ${name}`;
  return (
    `${field}: ${what} is not read: with database.clusterRef the value comes from OpenBao, at ${path}, through Secret ` +
    `${secret}; change it there, and remove this field`
  );
}

function isDefault(given: { name: string; key?: string }, { name, key }: { name: string; key: string }): boolean {
  return given.name === name && (given.key || key) === key;
}

function reservedFields({ spec: { korc } }: ControlPlane): string[] {
  const { applicationCredential, bootstrapResources = [] } = korc.adminCredential;
  const { mode } = applicationCredential.rotation;
  const path = 'spec.korc.adminCredential';
  return [
    ...(mode === defaults.rotationMode
      ? []
      : [
          `${path}.applicationCredential.rotation.mode: ${mode} acts as ${defaults.rotationMode}: the credential is replaced when ` +
            'the admin password changes; to replace it at another time, create a CredentialRotation',
        ]),
    ...(bootstrapResources.length === 0
      ? []
      : [`${path}.bootstrapResources: has no effect; create the Project and Role resources of K-ORC yourself`]),
  ];
}
