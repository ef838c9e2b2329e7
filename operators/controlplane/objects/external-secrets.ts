// SPDX-License-Identifier: Apache-2.0
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { defaults } from '../api/defaults.ts';
import { mariadbWatchLabel, namesOf, remoteKeysOf } from '../api/names.ts';

/** The database account: External Secrets copies the label to the Secret, which mariadb-operator then watches. */
export function dbCredentials(controlPlane: ControlPlane, store: string): ExternalSecret {
  const { metadata, ...rest } = externalSecret(namesOf(controlPlane).dbCredentials, {
    store,
    key: remoteKeysOf(controlPlane).database,
    properties: ['username', 'password'],
  });
  return { ...rest, metadata: { ...metadata, labels: { [mariadbWatchLabel]: '' } } };
}

/** The admin password. */
export function adminPassword(controlPlane: ControlPlane, store: string): ExternalSecret {
  return externalSecret(namesOf(controlPlane).adminPassword, {
    store,
    key: remoteKeysOf(controlPlane).adminPassword,
    properties: [defaults.passwordKey],
  });
}

/** Copies properties of a secret in the store into the Secret of the same name, under the same keys. */
export function externalSecret(
  name: string,
  { store, key, properties }: { store: string; key: string; properties: readonly string[] },
): ExternalSecret {
  const { apiVersion, kind } = ExternalSecret;
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: {
      refreshInterval: '1h0m0s',
      secretStoreRef: { kind: 'ClusterSecretStore', name: store },
      target: { name, creationPolicy: 'Owner' },
      data: properties.map((property) => ({ secretKey: property, remoteRef: { key, property } })),
    },
  };
}
