// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { apiServerAccess } from './api-server-access.ts';

const metadata = { name: 'kubernetes', namespace: 'default' };
const serviceAt = (clusterIP: string): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { clusterIP },
});
const slice: EndpointSlice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata,
  addressType: 'IPv4',
  endpoints: [
    { addresses: ['192.0.2.1'], conditions: { ready: true } },
    { addresses: ['192.0.2.2'] },
    { addresses: ['192.0.2.3'], conditions: { ready: false } },
  ],
  ports: [{ name: 'https', port: 16443, protocol: 'TCP' }],
};
const nothing = { service: undefined, slices: [] };

type Network = NonNullable<OpenBaoCluster['spec']['network']>;
const access = (objects: Parameters<typeof apiServerAccess>[1], network: Partial<Network> = {}) =>
  apiServerAccess(openbaoFixture({ network: { dnsNamespace: 'kube-system', ...network } }), objects);
const to = (port: number, ...cidrs: string[]) => ({
  to: cidrs.map((cidr) => ({ ipBlock: { cidr } })),
  ports: [{ port, protocol: 'TCP' }],
});

describe('the API server', () => {
  test('is where its Service and the ready servers behind it are', () => {
    assert.deepEqual(access({ service: serviceAt('10.96.0.1'), slices: [slice] }), [
      to(443, '10.96.0.0/16'),
      to(16443, '192.0.2.1/32', '192.0.2.2/32'),
    ]);
    assert.deepEqual(access({ service: serviceAt('fd00::1'), slices: [] }), [to(443, 'fd00::1/128')]);
    const sixth: EndpointSlice = { ...slice, addressType: 'IPv6', endpoints: [{ addresses: ['fd00::2'] }] };
    assert.deepEqual(access({ service: undefined, slices: [slice, sixth] }), [
      to(16443, '192.0.2.1/32', '192.0.2.2/32'),
      to(16443, 'fd00::2/128'),
    ]);
  });

  test('is where the spec says, with the port that API servers usually have', () => {
    const network = {
      apiServerCIDR: '10.97.13.5/12',
      apiServerEndpointIPs: ['192.0.2.9', '2001:DB8::0:1'],
    };
    const given = [to(443, '10.96.0.0/12'), to(6443, '192.0.2.9/32', '2001:db8::1/128')];
    assert.deepEqual(access({ service: serviceAt('10.1.0.1'), slices: [slice] }, network), given);
    assert.deepEqual(access(nothing, network), given);
  });

  for (const [cidr, normalised] of [
    ['10.255.255.255/0', '0.0.0.0/0'],
    ['10.255.255.255/7', '10.0.0.0/7'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['10.255.255.255/32', '10.255.255.255/32'],
    ['fd00:1:2:3::1/50', 'fd00:1:2::/50'],
  ] as const) {
    test(`has the range ${normalised} where the spec says ${cidr}`, () => {
      assert.deepEqual(access(nothing, { apiServerCIDR: cidr }), [to(443, normalised)]);
    });
  }

  test('is nowhere when nothing is known of it', () => {
    assert.equal(access(nothing), undefined);
    assert.equal(apiServerAccess(openbaoFixture(), nothing), undefined);
    const { ports: _, ...withoutPorts } = slice;
    for (const unknown of [
      { service: serviceAt('None'), slices: [{ ...slice, endpoints: [] }] },
      { service: serviceAt(''), slices: [withoutPorts] },
      { service: undefined, slices: [{ ...slice, endpoints: [{ addresses: ['host.example.com'] }] }] },
    ]) {
      assert.equal(access(unknown), undefined);
    }
  });
});
