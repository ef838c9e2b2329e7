// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../../api/keystone.ts';
import { keyTypes, openBaoFinalizer, pushSecretFinalizer } from '../../api/names.ts';
import { backupStore } from '../backup-store.ts';
import { externalSecretsKinds } from '../external-secrets.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { createDatabaseObjects, managedFixture } from '../managed-keystone.ts';
import { keysIn, productionName } from '../played-rotation.ts';
import { allReady, createKeystone, home, startKeystoneOperator, namesIn } from '../start-keystone-operator.ts';

const backups = ['identity-credential-keys-backup', 'identity-fernet-keys-backup'];
const remotePaths = keyTypes.map((keyType) => `kv-v2/openstack/keystone/openstack/identity/${keyType}-keys`).toSorted();

/** The deletion of a Keystone. */
export function deletionFlows(observer: CatalogObserver): void {
  test('a Keystone with a database of its own choice leaves its keys, and its successor goes on with them', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const keys = { fernet: await keysIn(operator, 'fernet'), credential: await keysIn(operator, 'credential') };
    const { client, clock } = operator.cluster;
    await client.delete(Keystone, home);
    await clock.advance(minutes(1));
    assert.equal(await client.find(Keystone, home), undefined);
    const events = await operator.events();
    assert.ok(events.includes('KeysRetained') && events.includes('DatabaseFinalized'));
    assert.ok(events.includes('OpenBaoSecretsFinalized'));
    assert.deepEqual(
      events.filter((reason) => reason.startsWith('Finalizing')),
      [],
    );
    await client.create(Keystone, keystoneFixture());
    await operator.untilCondition('Ready', allReady);
    for (const keyType of keyTypes) assert.deepEqual(await keysIn(operator, keyType), keys[keyType]);
  });

  test('keys that an earlier version owned are retained, too, and those under the mark of another are not named', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    // Nothing is repaired while the credentials are missing.
    await client.delete(Secret, { ...home, name: 'keystone-admin' });
    await clock.settle();
    const ownerReferences = [controllerReference(await operator.keystone())];
    await client.patch(Secret, productionName('fernet'), 'merge', {
      metadata: { ownerReferences, annotations: { [ownerAnnotation]: null } },
    });
    await client.patch(Secret, productionName('credential'), 'merge', {
      metadata: { annotations: { [ownerAnnotation]: 'another' } },
    });
    await client.delete(Keystone, home);
    await clock.advance(minutes(1));
    assert.equal(await client.find(Keystone, home), undefined);
    const { metadata } = await client.get(Secret, productionName('fernet'));
    assert.equal(metadata.ownerReferences, undefined);
    const { items } = await client.list(Event, { namespace: home.namespace });
    assert.deepEqual(
      items.filter(({ reason }) => reason === 'KeysRetained').map(({ message }) => message),
      ['Kept Secret identity-fernet-keys: the database it belongs to is not deleted with this Keystone'],
    );
  });

  test("database objects are deleted when they are this Keystone's, and nobody waits for them", async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds: [Database, User, Grant] });
    const { client, clock } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    await clock.settle();
    await client.delete(Keystone, home);
    await clock.settle();
    assert.equal(await client.find(Keystone, home), undefined);
    const { metadata, spec } = await client.get(Database, home);
    assert.ok(metadata.deletionTimestamp !== undefined);
    assert.equal(spec.cleanupPolicy, undefined);
    assert.deepEqual(await namesIn(operator, User), []);
    assert.ok((await operator.events()).includes('FinalizingDatabase'));
  });

  test('a Keystone waits for External Secrets to hold the backups, and deletes none before', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    await store.stop();
    await createKeystone(operator);
    const { client, clock } = operator.cluster;
    await operator.untilCondition('Ready', allReady);
    // One of the two is held already.
    const finalizers = [pushSecretFinalizer];
    await client.patch(PushSecret, { ...home, name: backups[1] ?? '' }, 'merge', { metadata: { finalizers } });
    await client.delete(Keystone, home);
    await operator.untilCondition(
      'SecretsReady',
      'WaitingForESOAdoption: Waiting for ESO to adopt PushSecret "identity-credential-keys-backup" (cleanup finalizer not yet installed)',
    );
    const { items } = await client.list(PushSecret, { namespace: home.namespace });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.deletionTimestamp),
      [undefined, undefined],
    );
    assert.ok(!(await operator.events()).includes('FinalizingOpenBaoSecrets'));
    await store.start();
    await clock.advance(seconds(30));
    assert.equal(await client.find(Keystone, home), undefined);
  });

  test('a Keystone stays until its backups are gone from the secret store', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    await createKeystone(operator);
    const { client, clock } = operator.cluster;
    await operator.untilCondition('Ready', allReady);
    await clock.advance(seconds(5));
    assert.deepEqual(store.vault.paths().toSorted(), remotePaths);
    store.vault.health = 'down';
    await client.delete(Keystone, home);
    await clock.advance(minutes(5));
    assert.equal(
      await operator.condition('SecretsReady'),
      'OpenBaoFinalizerBlocked: Waiting for PushSecret "identity-fernet-keys-backup" to be garbage-collected before releasing openbao-finalizer',
    );
    assert.deepEqual((await operator.keystone()).metadata.finalizers, [openBaoFinalizer]);
    store.vault.health = 'up';
    await clock.advance(minutes(8));
    assert.equal(await client.find(Keystone, home), undefined);
    assert.deepEqual(store.vault.paths(), []);
    const finalizing = ['FinalizingOpenBaoSecrets', 'OpenBaoSecretsFinalized'];
    assert.deepEqual((await operator.events()).filter((reason) => finalizing.includes(reason)).toSorted(), finalizing);
  });
}
