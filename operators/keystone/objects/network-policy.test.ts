// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gateway } from '../test/http-route.ts';
import { keystoneFixture, managedDatabase } from '../test/keystone-fixture.ts';
import { apiNetworkPolicy } from './network-policy.ts';

const openstack = { 'kubernetes.io/metadata.name': 'openstack' };
const ingress = [{ namespaceSelector: openstack }];
const dns = {
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
};
const peersOf = (...args: Parameters<typeof apiNetworkPolicy>) => apiNetworkPolicy(...args).spec?.ingress?.[0]?.from;
const namespaces = (keystone: Parameters<typeof apiNetworkPolicy>[0]) =>
  peersOf(keystone, { ingress }, 'forge-system')?.map(({ namespaceSelector }) =>
    Object.values(namespaceSelector?.matchLabels ?? {}).join(),
  );

describe('the NetworkPolicy', () => {
  test('lets the declared sources reach the API port, and the pods DNS, for a Keystone on backends of the user', () => {
    assert.deepEqual(apiNetworkPolicy(keystoneFixture(), { ingress }, undefined), {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: {
        name: 'identity',
        labels: {
          'app.kubernetes.io/name': 'keystone',
          'app.kubernetes.io/instance': 'identity',
          'app.kubernetes.io/managed-by': 'keystone-operator',
        },
      },
      spec: {
        podSelector: {
          matchLabels: { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': 'identity' },
        },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            ports: [{ port: 5000, protocol: 'TCP' }],
            from: [{ namespaceSelector: { matchLabels: openstack } }],
          },
        ],
        egress: [dns],
      },
    });
  });

  test('lets managed backends be reached, then what the user adds', () => {
    const additional = { to: [{ ipBlock: { cidr: '10.0.0.0/24' } }] };
    const cache = { backend: 'oslo_cache.memcache_pool', clusterRef: { name: 'memcached' } };
    const keystone = keystoneFixture({ database: managedDatabase, cache });
    assert.deepEqual(apiNetworkPolicy(keystone, { ingress, additionalEgress: [additional] }, undefined).spec?.egress, [
      dns,
      { ports: [{ port: 3306, protocol: 'TCP' }] },
      { ports: [{ port: 11211, protocol: 'TCP' }] },
      additional,
    ]);
  });

  test('lets a managed database be reached on its own port', () => {
    const keystone = keystoneFixture({ database: { ...managedDatabase, port: 3307 } });
    const [, egress] = apiNetworkPolicy(keystone, { ingress }, undefined).spec?.egress ?? [];
    assert.deepEqual(egress, { ports: [{ port: 3307, protocol: 'TCP' }] });
  });

  test('narrows a source to pods only where it names labels', () => {
    const [all, some] = [{}, { app: 'envoy' }].map((podSelector) => ({ namespaceSelector: {}, podSelector }));
    assert.ok(all !== undefined && some !== undefined);
    assert.deepEqual(peersOf(keystoneFixture(), { ingress: [all, some] }, undefined), [
      { namespaceSelector: { matchLabels: {} } },
      { namespaceSelector: { matchLabels: {} }, podSelector: { matchLabels: { app: 'envoy' } } },
    ]);
  });

  test("admits the namespace of the gateway, its own by default, and then the operator's, for its health check", () => {
    assert.deepEqual(namespaces(keystoneFixture({ gateway })), ['openstack', 'gateways', 'forge-system']);
    for (const parentRef of [{ name: 'gw' }, { name: 'gw', namespace: '' }]) {
      const here = keystoneFixture({ gateway: { ...gateway, parentRef } });
      assert.deepEqual(namespaces(here), ['openstack', 'openstack', 'forge-system']);
    }
  });

  test('is refused without a source: it would admit everybody', () => {
    assert.throws(() => apiNetworkPolicy(keystoneFixture(), { ingress: [] }, undefined), {
      message:
        'spec.networkPolicy.ingress must not be empty: refusing to create NetworkPolicy that would allow all ingress',
    });
  });
});
