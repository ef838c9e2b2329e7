// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { mariadb, mariadbTopology, memcached } from './backing-services.ts';

const { infrastructure } = controlPlaneFixture().spec;

/** A ControlPlane with so many database and cache servers. */
const withReplicas = (replicas: number) =>
  controlPlaneFixture({
    infrastructure: {
      database: { ...infrastructure.database, replicas },
      cache: { ...infrastructure.cache, replicas },
    },
  });

describe('the backing services of a ControlPlane', () => {
  test('are a Galera cluster of three with storage, and three cache servers, unless the spec says otherwise', () => {
    assert.deepEqual(mariadb(controlPlaneFixture(), 'db'), {
      apiVersion: 'k8s.mariadb.com/v1alpha1',
      kind: 'MariaDB',
      metadata: { name: 'db' },
      spec: { replicas: 3, galera: { enabled: true }, storage: { size: '100Gi' } },
    });
    assert.deepEqual(memcached(controlPlaneFixture(), 'cache'), {
      apiVersion: 'memcached.c5c3.io/v1beta1',
      kind: 'Memcached',
      metadata: { name: 'cache' },
      spec: { replicas: 3 },
    });
  });

  for (const [replicas, enabled] of [
    [1, false],
    [3, true],
    [5, true],
  ] as const) {
    test(`with ${replicas} replicas ${enabled ? 'are' : 'are not'} a Galera cluster; the storage is not part of that`, () => {
      assert.deepEqual(mariadbTopology(withReplicas(replicas), 'db').spec, { replicas, galera: { enabled } });
      assert.deepEqual(memcached(withReplicas(replicas), 'cache').spec, { replicas });
    });
  }

  test('are three where a stored number is too small', () => {
    assert.equal(mariadbTopology(withReplicas(0), 'db').spec.replicas, 3);
    assert.equal(memcached(withReplicas(0), 'cache').spec.replicas, 3);
  });
});
