// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { proxyTable } from './proxy-table.ts';

const service = (spec: Service['spec']): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  ...(spec && { spec }),
});

const slice = (overrides: Partial<EndpointSlice> = {}): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080 }],
  endpoints: [
    { addresses: ['10.244.0.2'], conditions: { ready: true } },
    { addresses: ['10.244.0.3'], conditions: { ready: false } },
    { addresses: ['10.244.0.4'] },
  ],
  ...overrides,
});

const ports = [
  { name: 'http', port: 80 },
  { name: 'admin', port: 81 },
];

test('a Service port maps to the ready endpoints of its slices', () => {
  assert.deepEqual(
    [...proxyTable([service({ clusterIP: '10.96.0.7', ports })], [slice()])],
    [
      [
        '10.96.0.7:80',
        [
          { host: '10.244.0.2', port: 8080 },
          { host: '10.244.0.4', port: 8080 },
        ],
      ],
    ],
  );
});

test('without ready endpoints, without an address, or for UDP there is no entry', () => {
  const unready = slice({ endpoints: [{ addresses: ['10.244.0.2'], conditions: { ready: false } }] });
  assert.equal(proxyTable([service({ clusterIP: '10.96.0.7', ports })], [unready]).size, 0);
  assert.equal(proxyTable([service({ clusterIP: 'None', ports })], [slice()]).size, 0);
  assert.equal(proxyTable([service({ ports })], [slice()]).size, 0);
  const udp = ports.map((port) => ({ ...port, protocol: 'UDP' }));
  assert.equal(proxyTable([service({ clusterIP: '10.96.0.7', ports: udp })], [slice()]).size, 0);
});

test('slices of a Service in another namespace are ignored', () => {
  const elsewhere = slice({ metadata: { ...slice().metadata, namespace: 'other' } });
  assert.equal(proxyTable([service({ clusterIP: '10.96.0.7', ports })], [elsewhere]).size, 0);
});
