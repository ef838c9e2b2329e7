// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deployment, Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { Keystone } from '../api/keystone.ts';
import {
  createExternalSecret,
  createStore,
  createSyncedCredentials,
  externalSecretsKinds,
  setExternalSecretReady,
  setStoreReady,
} from '../test/external-secrets.ts';
import { keystoneFixture, managedDatabase } from '../test/keystone-fixture.ts';
import {
  allReady,
  createCredentials,
  createKeystone,
  home,
  startKeystoneOperator,
} from '../test/start-keystone-operator.ts';

const storeNotReady =
  'SecretStoreNotReady: ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';
const noAccount = 'WaitingForDBCredentials: Waiting for ESO to sync database credentials from OpenBao';
const noAdmin = 'WaitingForAdminCredentials: Waiting for ESO to sync admin credentials from OpenBao';
const available = '+SecretsAvailable: ';

describe('the secrets gate', () => {
  test('with a managed database asks for the store, then for each ExternalSecret and its Secret, in this order', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    const { client } = operator.cluster;
    await client.create(Keystone, keystoneFixture({ database: managedDatabase }));
    await operator.untilCondition('SecretsReady', storeNotReady);
    await createStore(client, 'False');
    await operator.cluster.clock.advance(seconds(30));
    assert.equal(await operator.condition('SecretsReady'), storeNotReady);
    await setStoreReady(client, 'True');
    await operator.untilCondition('SecretsReady', noAccount);

    // Plain Secrets do not pass: nobody would keep them current.
    await createCredentials(operator);
    await operator.cluster.clock.advance(seconds(30));
    assert.equal(await operator.condition('SecretsReady'), noAccount);
    await createExternalSecret(client, 'keystone-db', 'False');
    await operator.cluster.clock.advance(seconds(30));
    assert.equal(await operator.condition('SecretsReady'), noAccount);
    await setExternalSecretReady(client, 'keystone-db', 'True');
    await operator.untilCondition('SecretsReady', noAdmin);
    await createExternalSecret(client, 'keystone-admin');
    await operator.untilCondition('SecretsReady', available);
  });

  test('does not take a ready ExternalSecret for a Secret: it may be ready without having written one', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    const { client } = operator.cluster;
    await createSyncedCredentials(operator);
    await client.delete(Secret, { ...home, name: 'keystone-admin' });
    await client.create(Keystone, keystoneFixture({ database: managedDatabase }));
    await operator.untilCondition('SecretsReady', noAdmin);
  });

  test('without External Secrets waits for a store with a managed database, and goes on when all of it appears', async () => {
    await using operator = await startKeystoneOperator();
    await operator.cluster.client.create(Keystone, keystoneFixture({ database: managedDatabase }));
    await operator.untilCondition('SecretsReady', storeNotReady);
    for (const kind of externalSecretsKinds) await installKind(operator.cluster, kind);
    await createSyncedCredentials(operator);
    await operator.untilCondition('SecretsReady', available);
  });

  test('with a database of the user passes plain Secrets and asks for no store', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await createKeystone(operator);
    await operator.untilCondition('SecretsReady', available);
  });

  for (const [name, missing] of [
    ['keystone-db', noAccount],
    ['keystone-admin', noAdmin],
  ] as const) {
    test(`with a database of the user asks for an ExternalSecret ${name} where there is one, and for its store`, async () => {
      await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
      const { client } = operator.cluster;
      await createExternalSecret(client, name, 'False');
      await createKeystone(operator);
      await operator.untilCondition('SecretsReady', storeNotReady);
      await createStore(client);
      await operator.untilCondition('SecretsReady', missing);
      await client.delete(ExternalSecret, { ...home, name });
      await operator.untilCondition('SecretsReady', available);
    });
  }

  for (const tag of ['2025.2', 'latest']) testOutage(tag);

  test('holds an installed Keystone whose Secret has lost its keys, or their values', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const admin = { ...home, name: 'keystone-admin' };
    const text = 'WaitingForAdminCredentials: Admin credentials Secret exists but is missing expected keys';
    await client.patch(Secret, admin, 'merge', { data: { password: '' } });
    await clock.advance(seconds(1));
    assert.equal(await operator.condition('SecretsReady'), text);
    await client.patch(Secret, admin, 'merge', { data: { password: null } });
    await client.patch(Keystone, home, 'merge', { spec: { replicas: 5 } });
    await clock.advance(seconds(30));
    assert.equal(await operator.condition('SecretsReady'), text);
    assert.equal((await client.get(Deployment, home)).spec?.replicas, 3);
  });
});

/** What an outage of the store does to a Keystone with a schema, whatever the tag of the image. */
function testOutage(tag: string): void {
  test(`shows an outage of the store on an installed Keystone at once, and freezes neither scaling nor passwords: ${tag}`, async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    const { client, clock } = operator.cluster;
    await createSyncedCredentials(operator);
    await client.create(Keystone, keystoneFixture({ image: { repository: 'c5c3/keystone', tag } }));
    await operator.untilCondition('Ready', allReady);
    await setStoreReady(client, 'False');
    await clock.settle();
    assert.equal(await operator.condition('SecretsReady'), storeNotReady);
    assert.match((await operator.condition('Ready')) ?? '', /^NotAllReady/);

    await client.patch(Keystone, home, 'merge', { spec: { replicas: 5 } });
    const replicas = async () => (await client.get(Deployment, home)).spec?.replicas;
    await clock.until(async () => (await replicas()) === 5);
    await client.delete(ClusterSecretStore, { name: defaultSecretStore });
    await clock.advance(seconds(30));
    assert.equal(await operator.condition('SecretsReady'), storeNotReady);
    await createStore(client);
    await operator.untilCondition('Ready', allReady);
  });
}
