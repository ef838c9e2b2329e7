// SPDX-License-Identifier: Apache-2.0
import type { ControlPlane } from '../api/control-plane.ts';

/** Where the ControlPlane of these tests lives. */
export const home = { namespace: 'openstack', name: 'controlplane' };

/** What a user must write, and no more, where the webhook fills in the rest. */
export const leastSpec = { openStackRelease: '2025.2', services: { keystone: {} } };

/** A small managed ControlPlane as the API server stores it: defaults filled in. */
export function controlPlaneFixture(change: Partial<ControlPlane['spec']> = {}): ControlPlane {
  return {
    apiVersion: 'c5c3.io/v1alpha1',
    kind: 'ControlPlane',
    metadata: { ...home, uid: 'c0f1', generation: 1 },
    spec: {
      ...leastSpec,
      region: 'RegionOne',
      infrastructure: {
        database: {
          clusterRef: { name: 'openstack-db' },
          database: 'keystone',
          secretRef: { name: 'keystone-db' },
          replicas: 3,
        },
        cache: { clusterRef: { name: 'openstack-memcached' }, backend: 'dogpile.cache.pymemcache', replicas: 3 },
      },
      korc: {
        adminCredential: {
          cloudCredentialsRef: { cloudName: 'admin', secretName: 'k-orc-clouds-yaml' },
          passwordSecretRef: { name: 'keystone-admin', key: 'password' },
          applicationCredential: { restricted: true, rotation: { mode: 'PasswordDriven' } },
        },
      },
      ...change,
    },
  };
}

/** Database and cache that exist already. */
export const brownfield: ControlPlane['spec']['infrastructure'] = {
  database: { host: 'db.example', database: 'keystone', secretRef: { name: 'keystone-db' }, replicas: 3 },
  cache: { servers: ['cache-0:11211'], backend: 'oslo_cache.memcache_pool', replicas: 3 },
};
