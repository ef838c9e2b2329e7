// SPDX-License-Identifier: Apache-2.0
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { openbao, secretsReader } from './openbao-objects.ts';
import { mount, policies } from './policies.ts';

/** The auth mount of this cluster and the role of External Secrets. */
const login = { mountPath: 'kubernetes/management', role: 'eso-management' };

/** Creates the KV mount, the login of External Secrets and its policies, if they are missing or differ. */
export async function configureOpenBao({ call }: VaultHttp): Promise<void> {
  if (!(await isMounted('sys/mounts', mount))) {
    await call('PUT', `sys/mounts/${mount}`, { type: 'kv', options: { version: '2' } });
  }
  if (!(await isMounted('sys/auth', login.mountPath))) {
    await call('PUT', `sys/auth/${login.mountPath}`, { type: 'kubernetes' });
  }
  // OpenBao uses its own ServiceAccount, whose token it reads again when it has changed.
  await call('PUT', `auth/${login.mountPath}/config`, { kubernetes_host: 'https://kubernetes.default.svc' });
  for (const [name, policy] of Object.entries(policies)) await call('PUT', `sys/policies/acl/${name}`, { policy });
  await call('PUT', `auth/${login.mountPath}/role/${login.role}`, {
    bound_service_account_names: [secretsReader.name],
    bound_service_account_namespaces: [secretsReader.namespace],
    token_policies: Object.keys(policies),
    token_ttl: '1h',
    token_max_ttl: '4h',
  });

  async function isMounted(list: 'sys/mounts' | 'sys/auth', path: string): Promise<boolean> {
    const mounts = (await call('GET', list))?.['data'];
    return isObject(mounts) && `${path}/` in mounts;
  }
}

/** The ClusterSecretStore for this OpenBao. */
export function clusterSecretStore(name: string): ClusterSecretStore {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name },
    spec: {
      provider: {
        vault: {
          server: openbao.address,
          path: mount,
          version: 'v2',
          caProvider: {
            type: 'Secret',
            namespace: openbao.namespace,
            name: openbao.tls.name,
            key: openbao.tls.ca,
          },
          auth: { kubernetes: { ...login, serviceAccountRef: { ...secretsReader } } },
        },
      },
    },
  };
}
