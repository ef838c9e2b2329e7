// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { dbConnectionSecret, dbConnectionUrl } from './db-connection.ts';

describe('the database connection', () => {
  const account = { username: 'key stone', password: new SecretValue("p@ss:w/ord?#$%&'(*)!é~-._") };

  test('escapes every byte that is not unreserved', () => {
    const url = dbConnectionUrl(keystoneFixture(), account).reveal();
    assert.equal(
      url,
      'mysql+pymysql://key%20stone:p%40ss%3Aw%2Ford%3F%23%24%25%26%27%28%2A%29%21%C3%A9~-._@db.example:3306/keystone?charset=utf8',
    );
    assert.equal(decodeURIComponent(new URL(url).password), account.password.reveal());
  });

  test('a managed database is reached through its Service, another port as given', () => {
    const database = { database: 'k', secretRef: { name: 's' } };
    const managed = keystoneFixture({ database: { ...database, clusterRef: { name: 'maria' } } });
    assert.match(dbConnectionUrl(managed, account).reveal(), /@maria\.openstack\.svc:3306\/k\?/);
    const elsewhere = keystoneFixture({ database: { ...database, clusterRef: { name: 'maria' }, port: 3307 } });
    assert.match(dbConnectionUrl(elsewhere, account).reveal(), /@maria\.openstack\.svc:3307\/k\?/);
    const brownfield = keystoneFixture({ database: { ...database, host: 'db', port: 3307 } });
    assert.match(dbConnectionUrl(brownfield, account).reveal(), /@db:3307\/k\?/);
  });

  test('stands in a Secret with that one key', () => {
    const secret = dbConnectionSecret(keystoneFixture(), new SecretValue('url'));
    assert.equal(secret.metadata.name, 'identity-db-connection');
    assert.deepEqual(secret.data, { connection: 'dXJs' });
  });
});
