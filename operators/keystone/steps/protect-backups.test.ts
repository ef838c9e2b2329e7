// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { keyTypes, keysForAnnotation } from '../api/names.ts';
import { keysForOf } from '../objects/keys/key-claim.ts';
import { backupStore, type BackupStore } from '../test/backup-store.ts';
import { externalSecretsKinds } from '../test/external-secrets.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { decodedKeys, freshKeys, keysIn, productionName } from '../test/played-rotation.ts';
import { untilStart } from '../test/releases.ts';
import {
  allReady,
  createCredentials,
  createKeystone,
  home,
  startKeystoneOperator,
  namesIn,
  type KeystoneOperator,
} from '../test/start-keystone-operator.ts';

const missing = 'KeysMissing: Secret identity-credential-keys is gone; restore it from the backup';

describe('the backup of keys that are lost', () => {
  let operator: KeystoneOperator;
  let store: BackupStore;

  beforeEach(async () => {
    operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    store = await backupStore(operator);
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.cluster.clock.advance(seconds(5));
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
    await operator[Symbol.asyncDispose]();
  });

  const backups = () =>
    keyTypes.map((keyType) => store.vault.read(`kv-v2/openstack/keystone/openstack/identity/${keyType}-keys`));
  const keys = async () =>
    await Promise.all(keyTypes.map(async (keyType) => decodedKeys(await keysIn(operator, keyType))));
  const policies = async () => {
    const { spec } = await operator.cluster.client.get(PushSecret, {
      ...home,
      name: 'identity-credential-keys-backup',
    });
    return [spec.deletionPolicy, spec.updatePolicy];
  };

  test('stays although all Secrets of the namespace are deleted, and serves when they are restored', async () => {
    const { client, clock } = operator.cluster;
    const saved = await keys();
    const credentialKeys = await keysIn(operator, 'credential');
    // The credentials first: from then on most steps wait.
    for (const name of (await namesIn(operator, Secret)).toReversed()) {
      await client.delete(Secret, { ...home, name });
      await clock.settle();
    }
    assert.match((await operator.condition('SecretsReady')) ?? '', /^WaitingForDBCredentials/);
    await clock.advance(minutes(130));
    assert.deepEqual(backups(), saved);

    await createCredentials(operator);
    await operator.untilCondition('CredentialKeysReady', missing);
    const annotations = { [keysForAnnotation]: keysForOf(keystoneFixture()) };
    const metadata = { ...productionName('credential'), annotations };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data: credentialKeys });
    await operator.untilCondition('Ready', allReady);
    await clock.advance(seconds(5));
    assert.deepEqual(backups(), await keys());
    assert.deepEqual(await policies(), ['Delete', 'Replace']);
  });

  test('is protected later when that is not possible at once', async () => {
    const { client, clock } = operator.cluster;
    const allow = await operator.deny('patch', PushSecret);
    await client.delete(Secret, productionName('credential'));
    await operator.untilCondition('CredentialKeysReady', missing);
    await allow();
    await clock.advance(minutes(1));
    assert.deepEqual(await policies(), ['None', 'IfNotExists']);
  });

  test('is not overwritten by keys of another database that somebody puts in their place', async () => {
    const { client, clock } = operator.cluster;
    const saved = await keys();
    const annotations = { [ownerAnnotation]: null, [keysForAnnotation]: 'of another' };
    const change = { metadata: { annotations }, data: freshKeys() };
    await client.patch(Secret, productionName('credential'), 'merge', change);
    await untilStart(operator, 'CredentialKeysReady', 'KeysOfAnotherDatabase');
    await clock.advance(minutes(70));
    assert.deepEqual(backups(), saved);
  });

  test('is kept from the moment that their Secret is being deleted', async () => {
    const { client } = operator.cluster;
    const held = { metadata: { finalizers: ['example.com/held'] } };
    await client.patch(Secret, productionName('credential'), 'merge', held);
    assert.deepEqual(await policies(), ['Delete', 'Replace']);
    await client.delete(Secret, productionName('credential'));
    await untilStart(operator, 'CredentialKeysReady', 'KeysTerminating');
    assert.deepEqual(await policies(), ['None', 'IfNotExists']);
  });
});
