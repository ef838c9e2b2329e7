// SPDX-License-Identifier: Apache-2.0
import type { ControlPlane } from '../../api/control-plane.ts';
import { controlPlaneFixture } from '../control-plane-fixture.ts';

/** The Service of K-ORC that the access rule names. */
export const ruledService = 'compute';

const adminCredential: ControlPlane['spec']['korc']['adminCredential'] = {
  cloudCredentialsRef: { cloudName: 'admin', secretName: 'k-orc-clouds-yaml' },
  passwordSecretRef: { name: 'keystone-admin', key: 'password' },
  applicationCredential: {
    restricted: true,
    accessRules: [{ service: ruledService, method: 'GET', path: '/v2.1/servers' }],
    rotation: { mode: 'PasswordDriven' },
  },
  bootstrapResources: [{ kind: 'Project', name: 'service' }],
};

/** Two ControlPlanes that have every field between them: one with managed backing services, one with brownfield ones. */
export const completeControlPlanes: Readonly<Record<'managed' | 'brownfield', ControlPlane>> = {
  managed: controlPlaneFixture({
    infrastructure: {
      database: {
        clusterRef: { name: 'openstack-db' },
        database: 'keystone',
        secretRef: { name: 'keystone-db', key: 'password' },
        replicas: 1,
      },
      cache: { clusterRef: { name: 'openstack-memcached' }, backend: 'oslo_cache.memcache_pool', replicas: 1 },
    },
    services: {
      keystone: {
        replicas: 1,
        image: { repository: 'registry.example.com/keystone', tag: '2025.2' },
        policyOverrides: { rules: { 'identity:list_users': 'role:admin' }, configMapRef: { name: 'policies' } },
        rotationInterval: '168h',
        gateway: {
          parentRef: { name: 'openstack-gw', namespace: 'gateways', sectionName: 'https' },
          hostname: 'keystone.example.com',
          path: '/identity',
          annotations: { 'example.com/timeout': '30s' },
        },
        publicEndpoint: 'https://keystone.example.com/v3',
      },
    },
    global: { rules: { 'identity:list_roles': 'role:admin' }, configMapRef: { name: 'global-policies' } },
    korc: { adminCredential },
  }),
  brownfield: controlPlaneFixture({
    infrastructure: {
      database: {
        host: 'db.example',
        port: 3306,
        database: 'keystone',
        secretRef: { name: 'keystone-db' },
        replicas: 3,
      },
      cache: { servers: ['cache-0:11211'], backend: 'oslo_cache.memcache_pool', replicas: 3 },
    },
  }),
};
