// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { createCredentials, home, type KeystoneOperator } from './start-keystone-operator.ts';

type Status = 'True' | 'False';

/** The kinds of External Secrets that the operator reads or writes. */
export const externalSecretsKinds = [ClusterSecretStore, ExternalSecret, PushSecret];

const conditions = (status: Status) => [{ type: 'Ready', status }];
const storeRef = { name: defaultSecretStore };

/** Creates the secret store, ready or not. */
export async function createStore(client: Client, status: Status = 'True'): Promise<void> {
  const { apiVersion, kind } = ClusterSecretStore;
  const spec = { provider: { vault: { server: 'https://openbao.openbao-system.svc:8200' } } };
  await client.create(ClusterSecretStore, { apiVersion, kind, metadata: storeRef, spec });
  await setStoreReady(client, status);
}

/** Sets the status of the secret store. */
export async function setStoreReady(client: Client, status: Status): Promise<void> {
  const change = { status: { conditions: conditions(status) } };
  await client.patch(ClusterSecretStore, storeRef, 'merge', change, { subresource: 'status' });
}

/** An ExternalSecret of the tests' namespace that syncs these properties from the path of its name. */
export function externalSecret(name: string, properties: readonly string[]): ExternalSecret {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { namespace: home.namespace, name },
    spec: {
      secretStoreRef: { kind: 'ClusterSecretStore', name: defaultSecretStore },
      data: properties.map((property) => ({ secretKey: property, remoteRef: { key: name, property } })),
    },
  };
}

/** Creates an ExternalSecret of the tests' namespace, synced or not; its Secret is created apart. */
export async function createExternalSecret(client: Client, name: string, status: Status = 'True'): Promise<void> {
  await client.create(ExternalSecret, externalSecret(name, ['password']));
  await setExternalSecretReady(client, name, status);
}

/** Sets its status as External Secrets would. */
export async function setExternalSecretReady(client: Client, name: string, status: Status): Promise<void> {
  const change = { status: { conditions: conditions(status) } };
  await client.patch(ExternalSecret, { ...home, name }, 'merge', change, { subresource: 'status' });
}

/** Creates a ready store, and the credentials of database and administrator as External Secrets syncs them from there. */
export async function createSyncedCredentials(operator: KeystoneOperator): Promise<void> {
  const { client } = operator.cluster;
  await createStore(client);
  for (const name of ['keystone-db', 'keystone-admin']) await createExternalSecret(client, name);
  await createCredentials(operator);
}

/** Empties a key of a Secret of the tests' namespace. */
export async function emptyKey(client: Client, name: string, key: string): Promise<void> {
  await client.patch(Secret, { ...home, name }, 'merge', { data: { [key]: '' } });
}
