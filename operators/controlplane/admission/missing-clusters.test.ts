// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { mariadb, memcached } from '../objects/backing-services.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { brownfield, controlPlaneFixture, home } from '../test/control-plane-fixture.ts';

const database = (name: string): MariaDB => ({
  ...mariadb(controlPlaneFixture(), name),
  metadata: { name, namespace: home.namespace },
});
const cache = (name: string, namespace = home.namespace): Memcached => ({
  ...memcached(controlPlaneFixture(), name),
  metadata: { name, namespace },
});

describe('a warning about a MariaDB or Memcached that is not there', () => {
  test('names the field and those that are there, and no more than that: the write is allowed', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true, kinds: [MariaDB, Memcached] });
    const { client, warnings } = cluster;
    await client.create(Memcached, cache('memcached'));
    await client.create(MariaDB, database('openstack-db'));
    await client.create(ControlPlane, controlPlaneFixture());
    assert.deepEqual(warnings.slice(1), [
      'spec.infrastructure.cache.clusterRef.name: namespace openstack has no Memcached openstack-memcached, and an empty one is ' +
        'created; to use memcached, delete the ControlPlane and create it with that name',
    ]);
    warnings.length = 0;
    await client.patch(ControlPlane, home, 'merge', { spec: { services: { keystone: { replicas: 2 } } } });
    assert.equal(warnings.length, 1, 'an update says nothing of it: the names cannot change');
  });

  test('is given for a database, too, where an empty one would be created', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true, kinds: [MariaDB, Memcached] });
    const { client, warnings } = cluster;
    for (const name of ['b', 'a']) await client.create(MariaDB, database(name));
    await client.create(ControlPlane, controlPlaneFixture());
    assert.match(
      warnings.slice(1).join('\n'),
      /^spec\.infrastructure\.database\.clusterRef\.name: .* to use a or b, delete/,
    );
  });

  test('is not given where there are none, nor of those of the user’s own, nor where they are elsewhere', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true, kinds: [MariaDB, Memcached] });
    const { client, warnings } = cluster;
    await client.create(Memcached, cache('memcached', 'elsewhere'));
    await client.create(ControlPlane, controlPlaneFixture());
    assert.equal(warnings.length, 1);
    const { metadata, ...rest } = controlPlaneFixture({ infrastructure: brownfield });
    await client.create(ControlPlane, { ...rest, metadata: { ...metadata, namespace: 'elsewhere' } });
    assert.equal(warnings.length, 1);
  });
});
