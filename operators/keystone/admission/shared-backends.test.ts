// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { sharedBackends } from './shared-backends.ts';

/** A Keystone on this database and Memcached. */
function keystoneOn(host: string, server: string, metadata: Partial<Keystone['metadata']> = {}): Keystone {
  const { metadata: own, ...keystone } = keystoneFixture({
    database: { host, database: 'keystone', secretRef: { name: 'keystone-db' } },
    cache: { backend: 'oslo_cache.memcache_pool', servers: [server] },
  });
  return { ...keystone, metadata: { ...own, ...metadata } };
}

const own = keystoneOn('db.example', 'cache:11211');
const elsewhere = { namespace: 'other' };

describe('backends that two Keystones share', () => {
  test('are found under every name of a host, also for a Keystone of the same name in another namespace', () => {
    assert.deepEqual(
      sharedBackends(own, [keystoneOn('DB.Example.', 'CACHE.openstack.svc.cluster.local:11211', elsewhere)]),
      [{ other: 'other/identity', database: 'db.example:3306/keystone', server: 'cache.openstack.svc:11211' }],
    );
  });

  test('are those that really are the same', () => {
    assert.deepEqual(sharedBackends(own, [own, keystoneOn('db2.example', 'cache:11211', elsewhere)]), []);
    const [found, ...more] = sharedBackends(own, [keystoneOn('db2.example', 'cache:11211', { name: 'second' })]);
    assert.deepEqual([found, more], [{ other: 'openstack/second', server: 'cache.openstack.svc:11211' }, []]);
  });

  test('are no longer shared with a Keystone that is being deleted', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    assert.deepEqual(
      sharedBackends(own, [keystoneOn('db.example', 'cache:11211', { name: 'second', deletionTimestamp })]),
      [],
    );
  });
});
