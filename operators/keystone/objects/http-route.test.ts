// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { gateway, verdict } from '../test/http-route.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { apiRoute, isAccepted } from './http-route.ts';

const parentKind = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };

/** The route as the server stores it in its second generation, and what controllers say of it. */
function route(parents: NonNullable<HTTPRoute['status']>['parents'], change: object = {}): HTTPRoute {
  const built = apiRoute(keystoneFixture(), gateway);
  const metadata = { ...built.metadata, namespace: 'openstack', generation: 2, ...change };
  return { ...built, metadata, status: { parents } };
}

describe('the route of the API', () => {
  test('leads from the Gateway to the Service', () => {
    assert.deepEqual(apiRoute(keystoneFixture(), gateway), {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: {
        name: 'identity',
        labels: {
          'app.kubernetes.io/name': 'keystone',
          'app.kubernetes.io/instance': 'identity',
          'app.kubernetes.io/managed-by': 'keystone-operator',
        },
      },
      spec: {
        parentRefs: [{ ...parentKind, name: 'public-gateway', namespace: 'gateways', sectionName: 'https' }],
        hostnames: ['keystone.example.com'],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [{ group: '', kind: 'Service', name: 'identity', port: 5000, weight: 1 }],
          },
        ],
      },
    });
  });

  test('carries the annotations of the user', () => {
    const annotations = { 'example.com/timeout': '5s' };
    assert.deepEqual(apiRoute(keystoneFixture(), { ...gateway, annotations }).metadata.annotations, annotations);
  });

  test('leaves out what the user leaves empty, and begins its path with a slash', () => {
    const parentRef = { name: 'gw', namespace: '', sectionName: '' };
    const { spec } = apiRoute(keystoneFixture(), { ...gateway, parentRef, path: 'identity' });
    assert.deepEqual(spec.parentRefs, [{ ...parentKind, name: 'gw' }]);
    assert.equal(spec.rules?.[0]?.matches?.[0]?.path?.value, '/identity');
  });

  test('is accepted by its own parent at its current generation, and by nothing else', () => {
    const own = { ...parentKind, ...gateway.parentRef };
    assert.equal(isAccepted(route([verdict('True', 2, own)])), true);
    assert.equal(isAccepted(route([verdict('True', 2, gateway.parentRef)])), true);
    assert.equal(isAccepted(route([verdict('False', 2, own), verdict('True', 2, own)])), true);
    for (const [parents, what] of [
      [[], 'nobody claims it'],
      [[verdict('False', 2, own)], 'refused'],
      [[verdict('True', 1, own)], 'an earlier generation'],
      [[verdict('True', 2, { ...own, name: 'other' })], 'another Gateway'],
      [[verdict('True', 2, { ...own, namespace: 'openstack' })], 'another namespace'],
      [[verdict('True', 2, { ...own, sectionName: 'http' })], 'another listener'],
      [[verdict('True', 2, { ...own, kind: 'Service' })], 'another kind'],
    ] as const) {
      assert.equal(isAccepted(route([...parents])), false, what);
    }
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    assert.equal(isAccepted(route([verdict('True', 2, own)], { deletionTimestamp })), false);
  });
});
