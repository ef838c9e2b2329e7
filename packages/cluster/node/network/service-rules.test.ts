// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { serviceRules } from './service-rules.ts';

const service = (clusterIP: string): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    clusterIP,
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  },
});

const slice = (...addresses: string[]): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  ports: [
    { name: 'http', port: 8080 },
    { name: 'dns', port: 5353, protocol: 'UDP' },
  ],
  endpoints: addresses.map((address) => ({ addresses: [address] })),
});

const rulesOf = (...args: Parameters<typeof serviceRules>) => serviceRules(...args).maps;

describe('the rules of Services', () => {
  test('forward each port to one of the endpoints, and allow an endpoint to reach itself', () => {
    const { services, hairpins } = rulesOf([service('10.96.0.7')], [slice('10.244.0.2', '10.244.0.3')]);
    assert.deepEqual(
      [...(services ?? [])],
      [
        [
          '10.96.0.7 . tcp . 80',
          ['meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.244.0.2 . 8080, 1 : 10.244.0.3 . 8080 }'],
        ],
        [
          '10.96.0.7 . udp . 53',
          ['meta l4proto udp dnat ip to numgen random mod 2 map { 0 : 10.244.0.2 . 5353, 1 : 10.244.0.3 . 5353 }'],
        ],
      ],
    );
    assert.deepEqual([...(hairpins?.keys() ?? [])], ['10.244.0.2 . 10.244.0.2', '10.244.0.3 . 10.244.0.3']);
  });

  test('have a limited number of endpoints, so that one Service cannot block others', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `10.244.${index >> 8}.${index & 255}`);
    const { services } = rulesOf([service('10.96.0.7')], [slice(...many)]);
    assert.match(services?.get('10.96.0.7 . tcp . 80')?.[0] ?? '', /mod 256 map .* 255 : 10\.244\.0\.255 \. 8080 \}$/);
  });

  test('are for IPv4 only, as the node’s network is', () => {
    const { services: none } = rulesOf([service('fd00::7')], [slice('10.244.0.2')]);
    assert.equal(none?.size, 0);
    const { services } = rulesOf([service('10.96.0.7')], [slice('web.example', 'fd00::2', '10.244.0.2')]);
    assert.deepEqual(services?.get('10.96.0.7 . tcp . 80'), [
      'meta l4proto tcp dnat ip to numgen random mod 1 map { 0 : 10.244.0.2 . 8080 }',
    ]);
  });
});
