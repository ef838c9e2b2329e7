// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { fieldsOf } from '@forge/kube/schema/fields-of.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { admissionCluster } from '../test/admission-cluster.ts';
import { Keystone } from './keystone.ts';

const crd = crdOf(Keystone);
const [version] = crd.spec.versions;

/** A Keystone with every part of its spec. */
const whole = {
  apiVersion: 'keystone.openstack.c5c3.io/v1alpha1',
  kind: 'Keystone',
  metadata: { name: 'keystone', namespace: 'openstack' },
  spec: {
    replicas: 3,
    image: { repository: 'registry.example.com:5000/c5c3/keystone', tag: '2025.1-p1' },
    database: {
      clusterRef: { name: 'mariadb' },
      database: 'keystone',
      secretRef: { name: 'keystone-db', key: 'password' },
      replicas: 3,
    },
    cache: { backend: 'dogpile.cache.pymemcache', clusterRef: { name: 'memcached' }, replicas: 3 },
    fernet: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 3 },
    credentialKeys: { rotationSchedule: '@weekly', suspend: false, maxActiveKeys: 3 },
    trustFlush: {
      schedule: '*/30 2 * JAN-MAR mon,3',
      suspend: false,
      args: ['--date', '2024-01-01', '--project-id=p'],
    },
    federation: { enabled: true },
    bootstrap: {
      adminUser: 'admin',
      adminPasswordSecretRef: { name: 'keystone-admin', key: 'password' },
      region: 'RegionOne',
      publicEndpoint: 'https://keystone.example.com/v3',
    },
    middleware: [
      { name: 'audit', filterFactory: 'audit_middleware:filter_factory', position: 'before', config: { a: 'b' } },
    ],
    plugins: [{ name: 'keystone-keycloak-backend', configSection: 'keycloak', config: { url: 'https://k' } }],
    policyOverrides: { rules: { 'identity:list_users': 'role:admin' }, configMapRef: { name: 'policies' } },
    autoscaling: { minReplicas: 2, maxReplicas: 10, targetCPUUtilization: 80, targetMemoryUtilization: 70 },
    networkPolicy: {
      ingress: [{ namespaceSelector: { 'kubernetes.io/metadata.name': 'openstack' }, podSelector: { app: 'envoy' } }],
      additionalEgress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/24' } }], ports: [{ protocol: 'TCP', port: 443 }] }],
    },
    gateway: {
      parentRef: { name: 'public-gateway', namespace: 'istio-ingress', sectionName: 'https' },
      hostname: 'keystone.example.com',
      path: '/identity',
      annotations: { 'konghq.com/plugins': 'rate-limit-sha' },
    },
    resources: { requests: { memory: '256Mi', cpu: '100m' }, limits: { memory: '512Mi', cpu: '500m' } },
    uwsgi: { processes: 4, threads: 4, httpKeepAlive: true, httpKeepAliveTimeout: 10, harakiri: 45 },
    logging: { format: 'json', level: 'INFO', debug: false, perLoggerLevels: { 'sqlalchemy.engine': 'WARNING' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: {
          matchLabels: { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': 'keystone' },
        },
      },
    ],
    priorityClassName: 'system-cluster-critical',
    terminationGracePeriodSeconds: 60,
    preStopSleepSeconds: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    extraConfig: { token: { expiration: '7200' } },
  },
} satisfies Keystone;

describe('the kind Keystone', () => {
  test('explains every field', () => {
    const unexplained = [...fieldsOf(version?.schema?.openAPIV3Schema as Schema)]
      .filter(([, { description = '' }]) => !/^[A-Z"].*[.]$/s.test(description))
      .map(([path, { description }]) => `${path}: ${description}`);
    assert.deepEqual(unexplained, []);
  });

  test('is kept as it was written, with and without webhooks', async () => {
    assert.deepEqual(
      Object.keys(whole.spec).toSorted(),
      Object.keys(version?.schema?.openAPIV3Schema?.properties?.['spec']?.properties ?? {}).toSorted(),
    );
    for (const webhooks of [false, true]) {
      await using cluster = await admissionCluster({ webhooks });
      assert.deepEqual((await cluster.client.create(Keystone, whole)).spec, whole.spec);
    }
  });

  test('shows its columns and can be scaled', () => {
    assert.deepEqual(
      version?.additionalPrinterColumns?.map(({ name, jsonPath }) => [name, jsonPath]),
      [
        ['Ready', ".status.conditions[?(@.type=='Ready')].status"],
        ['Endpoint', '.status.endpoint'],
        ['Release', '.status.installedRelease'],
        ['Age', '.metadata.creationTimestamp'],
      ],
    );
    assert.deepEqual(version.subresources, {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    });
  });
});
