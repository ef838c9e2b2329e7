// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '../api/keystone.ts';
import { admissionCluster } from '../test/admission-cluster.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { warningsOf } from './warnings.ts';

function named(name: string, change: Partial<Keystone['spec']> = {}, namespace = 'openstack'): Keystone {
  return { ...keystoneFixture(change), metadata: { name, namespace } };
}

const { database, cache } = keystoneFixture().spec;
const ownCache = { cache: { ...cache, servers: ['elsewhere:11211'] } };
const ownDatabase = { database: { ...database, host: 'elsewhere' } };

describe('warnings about a Keystone', () => {
  test('there are none about one that is set up as recommended, or about itself', () => {
    assert.deepEqual(warningsOf(named('identity'), [named('identity')]), []);
    assert.deepEqual(warningsOf(named('identity'), [named('other', { ...ownCache, ...ownDatabase })]), []);
  });

  test('name another that uses the same database', () => {
    assert.deepEqual(warningsOf(named('identity'), [named('other', ownCache)]), [
      'spec.database: Keystone openstack/other uses the same database db.example:3306/keystone; each bootstrap overwrites the ' +
        'catalog of the other: give every Keystone a database of its own',
    ]);
  });

  test('name another that uses the same Memcached', () => {
    assert.deepEqual(warningsOf(named('identity'), [named('other', ownDatabase)]), [
      'spec.cache: Keystone openstack/other uses the same Memcached cache-0.openstack.svc:11211; their cache keys collide and ' +
        'logins fail: give every Keystone a Memcached of its own',
    ]);
  });

  test('know a Service by all its names', () => {
    const { host: _, ...anywhere } = database;
    const { servers: __, ...unserved } = cache;
    const managed = named('identity', {
      database: { ...anywhere, clusterRef: { name: 'mariadb' } },
      cache: { ...unserved, clusterRef: { name: 'memcached' } },
    });
    const about = (host: string, namespace: string) =>
      warningsOf(managed, [
        named('other', { database: { ...database, host }, cache: { ...cache, servers: [`${host}:11211`] } }, namespace),
      ]).map((warning) => warning.split(':', 1)[0]);
    assert.deepEqual(about('mariadb', 'openstack'), ['spec.database']);
    assert.deepEqual(about('mariadb', 'elsewhere'), []);
    assert.deepEqual(about('mariadb.openstack.svc.cluster.local', 'elsewhere'), ['spec.database']);
    assert.deepEqual(about('memcached.openstack.svc', 'elsewhere'), ['spec.cache']);
  });

  test('name a managed database that is to be renamed, and no other change of it', () => {
    const { host: _, ...anywhere } = database;
    const managed = (name: string) =>
      named('identity', { database: { ...anywhere, database: name, clusterRef: { name: 'mariadb' } } });
    const brownfield = named('identity', { database: { ...database, database: 'other' } });
    assert.deepEqual(warningsOf(managed('other'), [], managed('keystone')), [
      'spec.database.database: mariadb-operator refuses to rename the database keystone to other; set it back, or delete and ' +
        're-create the Keystone, which deletes its data',
    ]);
    assert.deepEqual(warningsOf(managed('other'), [], managed('other')), []);
    assert.deepEqual(warningsOf(managed('other'), []), []);
    assert.deepEqual(warningsOf(brownfield, [], named('identity')), []);
  });

  test('say nothing of one that is being deleted', () => {
    const other = named('other');
    const going = { ...other, metadata: { ...other.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.deepEqual(warningsOf(named('identity'), [going]), []);
  });

  test('name settings that do not do what they seem to, and the remedy', () => {
    const { spec } = keystoneFixture();
    const change: Partial<Keystone['spec']> = {
      database: { ...spec.database, database: 'our-identity' },
      cache: { ...cache, backend: 'dogpile.cache.pymemcache' },
      logging: { ...spec.logging, level: 'DEBUG' },
      trustFlush: {
        schedule: '0 * * * *',
        suspend: false,
        args: ['--keystone-user', 'keystone', '--keystone-group=k'],
      },
      image: { ...spec.image, tag: 'latest' },
      middleware: [{ name: 'audit', filterFactory: 'audit:factory', position: 'before' }],
      extraConfig: { database: { connection: 'mysql+pymysql://keystone:hunter22@db/keystone' } },
    };
    assert.deepEqual(warningsOf(named('identity', change), []), [
      'spec.database.database: db_sync of Keystone fails in an empty database whose name has a dash, like our-identity; ' +
        'use letters, digits and _',
      'spec.cache.backend: with dogpile.cache.pymemcache no token is validated while Memcached is down; set oslo_cache.memcache_pool',
      'spec.logging.level: acts with format json only; with format text set debug or perLoggerLevels',
      'spec.trustFlush.args: --keystone-user is left out, since trust_flush has no such option; remove it',
      'spec.trustFlush.args: --keystone-group is left out, since trust_flush has no such option; remove it',
      'spec.image.tag: latest names no OpenStack release, so upgrades cannot be told from downgrades; use YYYY.1 or YYYY.2',
      'spec.middleware: has no effect, since Keystone reads no api-paste.ini; put the filter into the WSGI application of the image',
      'spec.extraConfig.database.connection: has no effect, since the connection is made from spec.database and its Secret; ' +
        'remove it, and the password in it',
    ]);
    const json = { ...spec.logging, format: 'json', level: 'DEBUG' } as const;
    assert.deepEqual(warningsOf(named('identity', { logging: json }), []), []);
  });

  test('reach who writes, out of the cache: the webhook asks the API server for nothing', async () => {
    await using cluster = await admissionCluster({ webhooks: true });
    const { client, clock, warnings, webhookRequests } = cluster;
    await client.create(Keystone, named('identity', ownCache));
    await clock.settle();
    webhookRequests.length = 0;
    await client.create(Keystone, named('other'));
    assert.deepEqual(
      warnings.map((warning) => warning.split(';', 1)[0]),
      ['spec.database: Keystone openstack/identity uses the same database db.example:3306/keystone'],
    );
    assert.deepEqual(webhookRequests, []);
  });

  test('reach who renames a managed database', async () => {
    await using cluster = await admissionCluster({ webhooks: true });
    const { client, warnings } = cluster;
    const { host: _, ...anywhere } = database;
    const created = await client.create(
      Keystone,
      named('identity', { database: { ...anywhere, clusterRef: { name: 'mariadb' } } }),
    );
    await client.patch(Keystone, created.metadata, 'merge', { spec: { database: { database: 'other' } } });
    assert.match(warnings.join(), /mariadb-operator refuses to rename the database keystone to other; set it back/);
  });
});
