// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Keystone } from '../api/keystone.ts';
import { createSyncedCredentials, emptyKey, externalSecretsKinds } from '../test/external-secrets.ts';
import { keystoneFixture, managedDatabase } from '../test/keystone-fixture.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  namesIn,
  type KeystoneOperator,
} from '../test/start-keystone-operator.ts';

const derived = { ...home, name: 'identity-db-connection' };

async function contentOf({ cluster: { client } }: KeystoneOperator): Promise<Record<string, string>> {
  const { data = {} } = await client.get(Secret, derived);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, atob(value)]));
}

describe('the database connection Secret', () => {
  test('follows the password of the user, and loses whatever else somebody puts into it', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { uid } = (await client.get(Secret, derived)).metadata;
    const data = { password: btoa('p$w') };
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data });
    await client.patch(Secret, derived, 'merge', { data: { stray: btoa('x') } });
    await clock.settle();
    assert.deepEqual(await contentOf(operator), {
      connection: 'mysql+pymysql://keystone:p%24w@db.example:3306/keystone?charset=utf8',
      'job-connection': 'mysql+pymysql://db.example:3306/keystone?charset=utf8',
      'job-connection-parameters': 'user=keystone&password=p%24w',
    });
    assert.equal((await client.get(Secret, derived)).metadata.uid, uid);
    await operator.untilCondition('Ready', allReady);
  });

  test('names the account that mariadb-operator creates, whatever the Secret says', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await createSyncedCredentials(operator);
    await operator.cluster.client.create(Keystone, keystoneFixture({ database: managedDatabase }));
    await operator.untilCondition('SecretsReady', '+SecretsAvailable: ');
    assert.deepEqual(await contentOf(operator), {
      connection: 'mysql+pymysql://identity:db-secret@mariadb.openstack.svc:3306/keystone?charset=utf8',
      'job-connection': 'mysql+pymysql://mariadb.openstack.svc:3306/keystone?charset=utf8',
      'job-connection-parameters': 'user=identity&password=db-secret',
    });
  });

  test('is not written from an account without a password', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await emptyKey(client, 'keystone-db', 'password');
    await clock.settle();
    const text = 'Upstream database credentials Secret openstack/keystone-db missing or missing key "password"';
    assert.equal(await operator.condition('SecretsReady'), `WaitingForDBCredentials: ${text}`);
    assert.ok(!(await namesIn(operator, Secret)).includes(derived.name));
  });
});
