// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from '../../api/keystone.ts';
import { gateway } from '../http-route.ts';
import { keystoneFixture, managedDatabase } from '../keystone-fixture.ts';

const selector = {
  matchLabels: { team: 'identity' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['backend'] }],
};

const ownPods = {
  matchLabels: { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': 'identity' },
};

/** Every optional part set. */
const complete: Partial<Keystone['spec']> = {
  replicas: 1,
  fernet: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 3 },
  credentialKeys: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 3 },
  trustFlush: { schedule: '0 * * * *', suspend: false, args: ['--date=31-12-2025'] },
  federation: { enabled: false },
  bootstrap: {
    adminUser: 'admin',
    adminPasswordSecretRef: { name: 'keystone-admin', key: 'password' },
    region: 'RegionOne',
    publicEndpoint: 'https://keystone.example.com/v3',
  },
  middleware: [
    {
      name: 'audit',
      filterFactory: 'audit_middleware:filter_factory',
      position: 'before',
      config: { audit_map_file: '/etc/audit' },
    },
  ],
  plugins: [{ name: 'keycloak', configSection: 'keycloak', config: { url: 'https://keycloak.example.com' } }],
  policyOverrides: { rules: { 'identity:list_users': 'role:admin' }, configMapRef: { name: 'policies' } },
  autoscaling: { minReplicas: 1, maxReplicas: 2, targetCPUUtilization: 80, targetMemoryUtilization: 80 },
  networkPolicy: {
    ingress: [{ namespaceSelector: { team: 'portal' }, podSelector: { app: 'portal' } }],
    additionalEgress: [
      {
        ports: [{ port: 8080, endPort: 8090, protocol: 'TCP' }],
        to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
      },
      { to: [{ namespaceSelector: selector, podSelector: selector }] },
    ],
  },
  gateway: { ...gateway, path: '/identity', annotations: { 'example.com/timeout': '30s' } },
  resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } },
  uwsgi: { processes: 2, threads: 1, httpKeepAlive: true, harakiri: 20, httpKeepAliveTimeout: 5 },
  logging: { format: 'text', level: 'INFO', debug: false, perLoggerLevels: { 'sqlalchemy.engine': 'WARNING' } },
  topologySpreadConstraints: [
    {
      labelSelector: ownPods,
      matchLabelKeys: ['pod-template-hash'],
      maxSkew: 1,
      minDomains: 1,
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
    },
  ],
  priorityClassName: 'identity',
  terminationGracePeriodSeconds: 30,
  preStopSleepSeconds: 5,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  extraConfig: { token: { expiration: '7200' } },
};

/** Two Keystones that have every field between them: one of managed backends, one of brownfield ones. */
export const completeKeystones: Readonly<Record<'managed' | 'brownfield', Keystone>> = {
  managed: keystoneFixture({
    ...complete,
    database: { ...managedDatabase, secretRef: { name: 'keystone-db', key: 'password' }, replicas: 3 },
    cache: { backend: 'oslo_cache.memcache_pool', clusterRef: { name: 'memcached' }, replicas: 3 },
  }),
  brownfield: keystoneFixture({
    replicas: 1,
    database: { host: 'db.example', port: 3306, database: 'keystone', secretRef: { name: 'keystone-db' } },
  }),
};
