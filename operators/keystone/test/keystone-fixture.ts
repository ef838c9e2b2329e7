// SPDX-License-Identifier: Apache-2.0
import type { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { Keystone } from '../api/keystone.ts';

/** A small Keystone as the API server stores it: defaults filled in. */
export function keystoneFixture(change: Partial<Keystone['spec']> = {}): Keystone {
  return {
    apiVersion: 'keystone.openstack.c5c3.io/v1alpha1',
    kind: 'Keystone',
    metadata: { name: 'identity', namespace: 'openstack', uid: 'b1f6', generation: 1 },
    spec: {
      replicas: 3,
      image: { repository: 'c5c3/keystone', tag: '2025.2' },
      database: { host: 'db.example', database: 'keystone', secretRef: { name: 'keystone-db' } },
      cache: { backend: 'oslo_cache.memcache_pool', servers: ['cache-0:11211', 'cache-1:11211'] },
      fernet: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 3 },
      credentialKeys: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 3 },
      trustFlush: { schedule: '0 * * * *', suspend: false },
      bootstrap: { adminUser: 'admin', adminPasswordSecretRef: { name: 'keystone-admin' }, region: 'RegionOne' },
      logging: { format: 'text', level: 'INFO', debug: false },
      ...change,
    },
  };
}

/** The database of a Keystone whose server mariadb-operator runs. */
export const managedDatabase: Keystone['spec']['database'] = {
  clusterRef: { name: 'mariadb' },
  database: 'keystone',
  secretRef: { name: 'keystone-db' },
};

/** That server. */
export const mariadbServer: MariaDB = {
  apiVersion: 'k8s.mariadb.com/v1alpha1',
  kind: 'MariaDB',
  metadata: { name: 'mariadb', namespace: 'openstack', uid: 'c2a7' },
  spec: {},
};
