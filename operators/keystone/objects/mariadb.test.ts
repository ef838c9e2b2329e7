// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keystoneFixture, mariadbServer } from '../test/keystone-fixture.ts';
import { mariadbDatabase, mariadbGrant, mariadbUser } from './mariadb.ts';

const database = { clusterRef: { name: 'mariadb' }, database: 'keystone', secretRef: { name: 'keystone-db' } };
const keystone = keystoneFixture({ database });
const userOf = (spec: Parameters<typeof keystoneFixture>[0] = {}) =>
  mariadbUser(keystoneFixture({ database, ...spec }), mariadbServer, {
    connectionDigest: 'abc',
    deployment: undefined,
  });

describe('the objects of a managed database', () => {
  test('are named after the Keystone; the database has the name that the spec gives it', () => {
    assert.deepEqual(mariadbDatabase(keystone, mariadbServer).spec, {
      mariaDbRef: { name: 'mariadb' },
      name: 'keystone',
      characterSet: 'utf8mb4',
      collate: 'utf8mb4_general_ci',
    });
    assert.deepEqual(mariadbGrant(keystone, mariadbServer).spec, {
      mariaDbRef: { name: 'mariadb' },
      privileges: ['ALL PRIVILEGES'],
      database: 'keystone',
      table: '*',
      username: 'identity',
    });
    assert.deepEqual(
      [mariadbDatabase(keystone, mariadbServer), userOf(), mariadbGrant(keystone, mariadbServer)].map(
        ({ metadata }) => metadata.name,
      ),
      ['identity', 'identity', 'identity'],
    );
  });

  test('give the account its password from the Secret, and wake mariadb-operator when it changes', () => {
    assert.deepEqual(userOf().spec.passwordSecretKeyRef, { name: 'keystone-db', key: 'password' });
    const keyed = { ...database, secretRef: { name: 'keystone-db', key: 'pw' } };
    assert.equal(userOf({ database: keyed }).spec.passwordSecretKeyRef?.key, 'pw');
    assert.equal(userOf().metadata.annotations?.['forge.c5c3.io/db-connection-hash'], 'abc');
  });

  test('name their server, so that mariadb-operator fills another one', () => {
    for (const { metadata } of [
      mariadbDatabase(keystone, mariadbServer),
      userOf(),
      mariadbGrant(keystone, mariadbServer),
    ])
      assert.equal(metadata.annotations?.['forge.c5c3.io/mariadb-uid'], mariadbServer.metadata.uid);
  });

  test('allow a connection for every thread, and at least 100', () => {
    assert.equal(userOf().spec.maxUserConnections, 100);
    const uwsgi = { processes: 4, threads: 5, httpKeepAlive: true };
    assert.equal(userOf({ uwsgi }).spec.maxUserConnections, (3 + 1) * 4 * 5 + 20);
    const autoscaling = { maxReplicas: 10, targetCPUUtilization: 50 };
    assert.equal(userOf({ uwsgi, autoscaling }).spec.maxUserConnections, (10 + 1) * 4 * 5 + 20);
  });
});
