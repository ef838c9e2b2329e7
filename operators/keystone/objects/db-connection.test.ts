// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { dbConnectionOf } from './db-connection.ts';

describe('the database connection', () => {
  const account = { username: 'key stone', password: new SecretValue("p@ss:w/ord?#$%&'(*)!é~-._") };

  test('escapes every byte that is not unreserved', () => {
    const url = dbConnectionOf(keystoneFixture(), account).url.reveal();
    assert.equal(
      url,
      'mysql+pymysql://key%20stone:p%40ss%3Aw%2Ford%3F%23%24%25%26%27%28%2A%29%21%C3%A9~-._@db.example:3306/keystone?charset=utf8',
    );
    assert.equal(decodeURIComponent(new URL(url).password), account.password.reveal());
  });

  test('a managed database is reached through its Service, another port as given', () => {
    const database = { database: 'k', secretRef: { name: 's' } };
    const managed = keystoneFixture({ database: { ...database, clusterRef: { name: 'maria' } } });
    assert.match(dbConnectionOf(managed, account).url.reveal(), /@maria\.openstack\.svc:3306\/k\?/);
    const elsewhere = keystoneFixture({ database: { ...database, clusterRef: { name: 'maria' }, port: 3307 } });
    assert.match(dbConnectionOf(elsewhere, account).url.reveal(), /@maria\.openstack\.svc:3307\/k\?/);
    const brownfield = keystoneFixture({ database: { ...database, host: 'db', port: 3307 } });
    assert.match(dbConnectionOf(brownfield, account).url.reveal(), /@db:3307\/k\?/);
  });

  test('of Jobs has a URL without escaped characters, which db_sync fails on, and the account apart', () => {
    const { jobUrl, jobParameters } = dbConnectionOf(keystoneFixture(), account);
    assert.equal(jobUrl.reveal(), 'mysql+pymysql://db.example:3306/keystone?charset=utf8');
    const parameters = new URLSearchParams(jobParameters.reveal());
    assert.deepEqual(
      [...parameters],
      [
        ['user', account.username],
        ['password', account.password.reveal()],
      ],
    );
  });
});
