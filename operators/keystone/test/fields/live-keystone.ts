// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, Namespace, PriorityClass } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { liveResource, type LiveResource } from '@forge/simulation/fields/live-resource.ts';
import type { PreparedCluster } from '@forge/simulation/scenario/scenario.ts';
import { environment, standInKinds, type Environment } from '@forge/simulation/world/environment.ts';
import { settledCluster } from '@forge/simulation/world/settled-cluster.ts';
import { keystoneAdmission } from '../../admission/admission.ts';
import { Keystone } from '../../api/keystone.ts';
import { keystoneController } from '../../reconcile.ts';
import { home } from '../start-keystone-operator.ts';

const namespace = home.namespace;

/** What the secret store holds. */
const credentials = {
  'keystone-db': { username: 'keystone', password: 'db-secret' },
  'keystone-admin': { password: 'admin-secret' },
};

function externalSecret(name: string, values: object): ExternalSecret {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { namespace, name },
    spec: {
      secretStoreRef: { name: defaultSecretStore, kind: 'ClusterSecretStore' },
      data: Object.keys(values).map((property) => ({ secretKey: property, remoteRef: { key: name, property } })),
    },
  };
}

/** Every neighbour of a Keystone, and a secret store with the credentials. */
function neighbours(): Environment {
  const all = environment({ standIns: ['external-secrets', 'mariadb-operator', 'memcached-operator', 'gateway'] });
  for (const [name, values] of Object.entries(credentials)) all.vault.write(`kv-v2/${name}`, values);
  return all;
}

/** A cluster with everything that a Keystone may refer to. */
export function clusterForKeystones(): Promise<PreparedCluster> {
  return settledCluster(
    {
      kinds: [Keystone, ...standInKinds],
      async setUp(user) {
        await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
        await user.create(ClusterSecretStore, {
          apiVersion: 'external-secrets.io/v1',
          kind: 'ClusterSecretStore',
          metadata: { name: defaultSecretStore },
          spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
        });
        await user.create(MariaDB, {
          apiVersion: 'k8s.mariadb.com/v1alpha1',
          kind: 'MariaDB',
          metadata: { namespace, name: 'mariadb' },
          spec: { storage: { size: '1Gi' } },
        });
        await user.create(Memcached, {
          apiVersion: 'memcached.c5c3.io/v1beta1',
          kind: 'Memcached',
          metadata: { namespace, name: 'memcached' },
          spec: {},
        });
        await user.create(PriorityClass, {
          apiVersion: 'scheduling.k8s.io/v1',
          kind: 'PriorityClass',
          metadata: { name: 'identity' },
          value: 1000,
        });
        await user.create(ConfigMap, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace, name: 'policies' },
          data: { 'policy.yaml': '"identity:list_roles": "role:admin"\n' },
        });
        for (const [name, values] of Object.entries(credentials)) {
          await user.create(ExternalSecret, externalSecret(name, values));
        }
      },
    },
    neighbours(),
  );
}

/** A Keystone with its operator, its webhooks and its neighbours, at rest. */
export function liveKeystone(from: PreparedCluster, resource: Keystone): Promise<LiveResource<Keystone>> {
  const reading = {
    keystoneApi: { health: async () => ({ found: 'healthy' }) as const },
    secretStore: defaultSecretStore,
    ownNamespace: undefined,
  };
  return liveResource({
    from,
    environment: neighbours(),
    kind: Keystone,
    resource,
    admission: keystoneAdmission,
    controllers: () => [keystoneController({ reading, acting: {} })],
  });
}
