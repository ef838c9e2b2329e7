// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';

/** The store of these tests, with a login by ServiceAccount. */
export const store: ClusterSecretStore = {
  apiVersion: 'external-secrets.io/v1',
  kind: 'ClusterSecretStore',
  metadata: { name: 'openbao-cluster-store' },
  spec: {
    provider: {
      vault: { server: 'https://openbao:8200', path: 'kv-v2', auth: { kubernetes: { role: 'external-secrets' } } },
    },
  },
};

const secretStoreRef = { kind: 'ClusterSecretStore', name: store.metadata.name } as const;

/** An ExternalSecret `db` of username and password at `db`. */
export function externalSecret(spec: Partial<ExternalSecret['spec']> = {}): ExternalSecret {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { namespace: 'default', name: 'db' },
    spec: {
      secretStoreRef,
      data: ['username', 'password'].map((property) => ({ secretKey: property, remoteRef: { key: 'db', property } })),
      ...spec,
    },
  };
}

/** A PushSecret `backup` of the whole Secret `keys` to `keys`. */
export function pushSecret(spec: Partial<PushSecret['spec']> = {}): PushSecret {
  return {
    apiVersion: 'external-secrets.io/v1alpha1',
    kind: 'PushSecret',
    metadata: { namespace: 'default', name: 'backup' },
    spec: {
      deletionPolicy: 'Delete',
      secretStoreRefs: [secretStoreRef],
      selector: { secret: { name: 'keys' } },
      data: [{ match: { remoteRef: { remoteKey: 'keys' } } }],
      ...spec,
    },
  };
}

/** A Secret of these values. */
export function secret(name: string, values: Record<string, string>): Secret {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, btoa(value)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name }, data };
}
