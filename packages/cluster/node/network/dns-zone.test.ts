// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { recordTypes, responseCodes } from './dns-message.ts';
import { dnsZone, resolvConf } from './dns-zone.ts';

const service = (name: string, clusterIP: string): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'openstack' },
  spec: { clusterIP },
});

const slice: EndpointSlice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'bao-1', namespace: 'openstack', labels: { 'kubernetes.io/service-name': 'bao' } },
  addressType: 'IPv4',
  endpoints: [
    { addresses: ['10.244.0.2'], conditions: { ready: true }, hostname: 'bao-0' },
    { addresses: ['10.244.0.3'], conditions: { ready: false }, hostname: 'bao-1' },
  ],
};

const zone = dnsZone([service('db', '10.96.0.7'), service('bao', 'None')], [slice]);
const { A } = recordTypes;
const AAAA = 28;

test('a Service has its own address', () => {
  assert.deepEqual(zone.answer('db.openstack.svc.cluster.local', A), {
    code: responseCodes.NOERROR,
    addresses: ['10.96.0.7'],
    zone: 'cluster.local',
  });
});

test('a headless Service has the addresses of its ready pods, and each pod has its own name', () => {
  assert.deepEqual(zone.addressesOf('bao.openstack.svc.cluster.local'), ['10.244.0.2']);
  assert.deepEqual(zone.addressesOf('bao-0.bao.openstack.svc.cluster.local'), ['10.244.0.2']);
  assert.equal(zone.addressesOf('bao-1.bao.openstack.svc.cluster.local'), undefined);
});

test('a query for another type of an existing name has an empty answer, not NXDOMAIN', () => {
  const answer = zone.answer('db.openstack.svc.cluster.local', AAAA);
  assert.deepEqual([answer.code, answer.addresses], [responseCodes.NOERROR, []]);
  assert.equal(zone.answer('openstack.svc.cluster.local', A).code, responseCodes.NOERROR);
});

test('a missing name gets NXDOMAIN, inside the cluster and outside', () => {
  assert.deepEqual(zone.answer('nobody.openstack.svc.cluster.local', A), {
    code: responseCodes.NXDOMAIN,
    addresses: [],
    zone: 'cluster.local',
  });
  assert.deepEqual(zone.answer('db.svc.cluster.local.example.org', AAAA).zone, '');
});

test('a pod searches its own namespace first', () => {
  assert.equal(
    resolvConf('openstack', '10.96.0.10'),
    'search openstack.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
  );
});
