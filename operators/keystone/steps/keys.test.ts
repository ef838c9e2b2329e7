// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, CronJob, Role, RoleBinding, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { pushContentHashAnnotation } from '@forge/openstack/secret-store.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { Keystone } from '../api/keystone.ts';
import { keyTypes, keysForAnnotation, rotationCompletedAnnotation } from '../api/names.ts';
import { keysForOf } from '../objects/keys/key-claim.ts';
import { backupStore, syncCredentials } from '../test/backup-store.ts';
import { createStore, externalSecret, externalSecretsKinds } from '../test/external-secrets.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { managedFixture } from '../test/managed-keystone.ts';
import {
  decodedKeys,
  freshKeys,
  keysIn,
  productionName,
  rotate,
  rotateKeys,
  stageKeys,
  stagingName,
} from '../test/played-rotation.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  namesIn,
  secret,
} from '../test/start-keystone-operator.ts';

const backup = { ...home, name: 'identity-credential-keys-backup' };
const remotePath = 'kv-v2/openstack/keystone/openstack/identity/credential-keys';

const labels = (type: string) => `{keystone="identity",namespace="openstack",key_type="${type}"}`;

describe('keys of a Keystone', () => {
  test('with a database of its own choice carry a mark and no owner; with a managed one they are owned', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { uid } = (await operator.keystone()).metadata;
    const { metadata } = await client.get(Secret, productionName('fernet'));
    assert.equal(metadata.ownerReferences, undefined);
    assert.equal(metadata.annotations?.[ownerAnnotation], uid);
    assert.equal(metadata.annotations?.[keysForAnnotation], keysForOf(keystoneFixture()));

    await client.delete(Secret, { ...home, name: 'keystone-db' });
    await client.delete(Secret, { ...home, name: 'keystone-admin' });
    await syncCredentials(operator, store);
    const managed = await client.create(Keystone, managedFixture('managed'));
    await clock.advance(seconds(5));
    const owned = await client.get(Secret, { ...home, name: 'managed-credential-keys' });
    assert.deepEqual(owned.metadata.ownerReferences, [controllerReference(managed)]);
    assert.equal(owned.metadata.annotations?.[keysForAnnotation], keysForOf(managed));
  });

  test('are stripped of the owner that an earlier version gave them', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const keystone = await operator.keystone();
    const patch = { ownerReferences: [controllerReference(keystone)], annotations: null };
    await client.patch(Secret, productionName('credential'), 'merge', { metadata: patch });
    await clock.settle();
    const { metadata } = await client.get(Secret, productionName('credential'));
    assert.equal(metadata.ownerReferences, undefined);
    assert.deepEqual(metadata.annotations, {
      [ownerAnnotation]: keystone.metadata.uid,
      [keysForAnnotation]: keysForOf(keystone),
    });
  });

  test("that are under somebody else's control are refused, whether there are any or not", async () => {
    await using operator = await startKeystoneOperator();
    const { client } = operator.cluster;
    const holder = await client.create(Secret, secret('holder', {}));
    const ownerReferences = [controllerReference(holder)];
    for (const keyType of keyTypes) {
      const metadata = { ...productionName(keyType), ownerReferences };
      const data = keyType === 'fernet' ? freshKeys() : {};
      await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    }
    await createKeystone(operator);
    for (const [noun, keyType] of [
      ['Fernet', 'fernet'],
      ['Credential', 'credential'],
    ]) {
      const refused = `Secret identity-${keyType}-keys was refused: it belongs to Secret holder: delete or rename it`;
      await operator.untilCondition(`${noun}KeysReady`, `ApplyRejected: ${refused}`);
    }
  });

  for (const [keyType, field] of [
    ['fernet', 'fernet'],
    ['credential', 'credentialKeys'],
  ] as const) {
    test(`${keyType} ones keep their number when maxActiveKeys is lowered, until the next rotation`, async () => {
      await using operator = await startKeystoneOperator();
      const { client, clock } = operator.cluster;
      await createKeystone(operator, { [field]: { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 5 } });
      await operator.untilCondition('Ready', allReady);
      const five = rotateKeys(await keysIn(operator, keyType), 5);
      assert.equal(Object.keys(five).length, 5);
      await stageKeys(operator, keyType, five);
      assert.deepEqual(await keysIn(operator, keyType), five);
      await client.patch(Keystone, home, 'merge', { spec: { [field]: { maxActiveKeys: 3 } } });
      await clock.advance(minutes(1));
      assert.deepEqual(await keysIn(operator, keyType), five);
      const rotated = await rotate(operator, keyType);
      assert.equal(Object.keys(rotated).length, 3);
      assert.deepEqual(await keysIn(operator, keyType), rotated);
    });
  }

  test('that were taken are not taken again while their staging Secret is still there', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    await rotate(operator, 'fernet');
    const { data, metadata } = await client.get(Secret, productionName('fernet'));
    const completedAt = metadata.annotations?.[rotationCompletedAnnotation];
    await stageKeys(operator, 'fernet', rotateKeys(data ?? {}), completedAt);
    await clock.advance(seconds(30));
    assert.deepEqual(await keysIn(operator, 'fernet'), data);
    assert.equal((await client.get(Secret, stagingName('fernet'))).data, undefined);
    assert.ok(!(await operator.events()).includes('RotationRejected'));
  });

  test('are backed up although their staging Secret cannot be deleted, which is tried again', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const allow = await operator.deny('delete', Secret);
    const rotated = await rotate(operator, 'credential');
    await clock.advance(seconds(30));
    assert.deepEqual(await keysIn(operator, 'credential'), rotated);
    assert.deepEqual((await client.get(Secret, stagingName('credential'))).data, rotated);
    assert.deepEqual(store.vault.read(remotePath), decodedKeys(rotated));
    assert.equal(await operator.condition('Ready'), allReady);
    const reasons = await operator.events();
    assert.equal(reasons.filter((reason) => reason === 'CredentialKeysRotated').length, 1);

    await allow();
    await client.patch(Keystone, home, 'merge', { spec: { replicas: 2 } });
    await clock.advance(seconds(30));
    assert.equal((await client.get(Secret, stagingName('credential'))).data, undefined);
  });

  test('that cannot be written to production stay staged', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const production = await keysIn(operator, 'fernet');
    const rotated = rotateKeys(production);
    await operator.deny('update', Secret);
    await stageKeys(operator, 'fernet', rotated);
    await clock.advance(seconds(30));
    assert.deepEqual(await keysIn(operator, 'fernet'), production);
    assert.deepEqual((await client.get(Secret, stagingName('fernet'))).data, rotated);
  });
});

describe('the backup of keys', () => {
  test('is asked for as specified, follows every rotation, and is made again for a Secret that came back', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const { spec, metadata } = await client.get(PushSecret, backup);
    assert.deepEqual(spec, {
      refreshInterval: '1h0m0s',
      updatePolicy: 'Replace',
      deletionPolicy: 'Delete',
      secretStoreRefs: [{ kind: 'ClusterSecretStore', name: 'openbao-cluster-store' }],
      selector: { secret: { name: 'identity-credential-keys' } },
      data: [
        {
          conversionStrategy: 'None',
          match: { remoteRef: { remoteKey: 'openstack/keystone/openstack/identity/credential-keys' } },
        },
      ],
    });
    assert.match(metadata.annotations?.[pushContentHashAnnotation] ?? '', /^[0-9a-f]{64}$/);
    assert.equal(metadata.ownerReferences?.[0]?.name, 'identity');

    const rotated = await rotate(operator, 'credential');
    await clock.advance(seconds(5));
    assert.deepEqual(store.vault.read(remotePath), decodedKeys(rotated));

    const lost = await client.get(Secret, productionName('credential'));
    const allow = await operator.deny('patch', PushSecret);
    await client.delete(Secret, productionName('credential'));
    await clock.advance(minutes(70));
    assert.equal(store.vault.read(remotePath), undefined, 'External Secrets deletes the copy with its source');
    await allow();
    const annotations = { [keysForAnnotation]: keysForOf(keystoneFixture()) };
    await client.create(Secret, { ...lost, metadata: { ...productionName('credential'), annotations } });
    await clock.advance(seconds(30));
    assert.deepEqual(store.vault.read(remotePath), decodedKeys(rotated));
  });

  for (const loss of ['deleted', 'emptied'] as const) {
    test(`stays in the store when the keys are ${loss}, and follows them again once they are restored`, async () => {
      await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
      await using store = await backupStore(operator);
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      await clock.advance(seconds(5));
      const { data = {}, ...lost } = await client.get(Secret, productionName('credential'));
      const emptied = Object.fromEntries(Object.keys(data).map((index) => [index, null]));
      if (loss === 'deleted') await client.delete(Secret, productionName('credential'));
      else await client.patch(Secret, productionName('credential'), 'merge', { data: emptied });
      await clock.advance(minutes(70));
      assert.match((await operator.condition('CredentialKeysReady')) ?? '', /^KeysMissing/);
      assert.deepEqual(store.vault.read(remotePath), decodedKeys(data));

      const annotations = { [keysForAnnotation]: keysForOf(keystoneFixture()) };
      const metadata = { ...productionName('credential'), annotations };
      if (loss === 'deleted') await client.create(Secret, { ...lost, metadata, data });
      else await client.patch(Secret, productionName('credential'), 'merge', { data });
      await clock.advance(seconds(30));
      const { spec } = await client.get(PushSecret, backup);
      assert.deepEqual([spec.deletionPolicy, spec.updatePolicy], ['Delete', 'Replace']);
      const rotated = await rotate(operator, 'credential');
      await clock.advance(seconds(5));
      assert.deepEqual(store.vault.read(remotePath), decodedKeys(rotated));
    });
  }

  test('of an earlier Keystone is read back by dataFrom, and untouched until its keys are confirmed', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    const { client, clock } = operator.cluster;
    for (const keyType of keyTypes) {
      const key = `openstack/keystone/openstack/identity/${keyType}-keys`;
      store.vault.write(`kv-v2/${key}`, decodedKeys(freshKeys()), { marked: true });
      const external = externalSecret(`restored-${keyType}`, []);
      const { secretStoreRef } = external.spec;
      const spec = { ...(secretStoreRef && { secretStoreRef }), dataFrom: [{ extract: { key } }] };
      await client.create(ExternalSecret, { ...external, spec });
      await clock.advance(seconds(5));
      const { data = {} } = await client.get(Secret, { ...home, name: `restored-${keyType}` });
      await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: productionName(keyType), data });
    }
    const saved = store.vault.read(remotePath);
    await createKeystone(operator);
    await clock.advance(minutes(70));
    assert.match((await operator.condition('CredentialKeysReady')) ?? '', /^KeysOfAnotherDatabase/);
    assert.deepEqual(store.vault.read(remotePath), saved);
    const annotations = { [keysForAnnotation]: keysForOf(keystoneFixture()) };
    for (const keyType of keyTypes) {
      await client.patch(Secret, productionName(keyType), 'merge', { metadata: { annotations } });
    }
    await operator.untilCondition('Ready', allReady);
    await clock.advance(seconds(5));
    assert.deepEqual(decodedKeys(await keysIn(operator, 'credential')), saved);
    assert.deepEqual(store.vault.read(remotePath), saved);
  });

  test('of an earlier Keystone is replaced by the keys of a new one, as the guide warns', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    store.vault.write(remotePath, decodedKeys(freshKeys()), { marked: true });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(store.vault.read(remotePath), decodedKeys(await keysIn(operator, 'credential')));
  });

  test('of missing keys goes with the Keystone, as every backup does', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    await clock.advance(seconds(5));
    await client.delete(Secret, productionName('credential'));
    await clock.advance(minutes(1));
    assert.equal(store.vault.paths().length, 2);
    await client.delete(Keystone, home);
    await clock.advance(minutes(1));
    assert.equal(await client.find(Keystone, home), undefined);
    assert.deepEqual(store.vault.paths(), []);
  });

  test('is asked for as soon as there is a store, and never without one', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: [PushSecret, ClusterSecretStore] });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    assert.deepEqual(await namesIn(operator, PushSecret), []);
    assert.ok((await namesIn(operator, CronJob)).includes('identity-fernet-rotate'));
    await client.create(ClusterSecretStore, {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ClusterSecretStore',
      metadata: { name: defaultSecretStore },
      spec: { provider: { vault: { server: 'https://openbao:8200' } } },
    });
    await clock.settle();
    assert.equal((await namesIn(operator, PushSecret)).length, 2);
  });

  test('is not asked for where there are no PushSecrets, and the log is silent about it', async () => {
    const log: string[] = [];
    const write = ({ message }: { message: string }) => log.push(message);
    await using operator = await startKeystoneOperator(undefined, { kinds: [ClusterSecretStore], write });
    await createStore(operator.cluster.client);
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    assert.ok(!log.some((message) => message.includes('backup')));
  });

  test('is not written again once it is settled, nor is anything of the rotation', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const versions = async () => {
      const kinds = [
        Secret,
        ServiceAccount,
        Role,
        RoleBinding,
        ConfigMap,
        CronJob,
        PushSecret,
      ] satisfies Kind[] as Kind[];
      const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: home.namespace })));
      return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`));
    };
    await clock.advance(minutes(1));
    const before = await versions();
    await clock.advance(minutes(40));
    assert.deepEqual(await versions(), before);
    assert.equal(store.vault.paths().length, 2);
  });

  test('that cannot be asked for leaves the Keystone ready', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
    await using store = await backupStore(operator);
    const { client } = operator.cluster;
    await client.create(PushSecret, {
      apiVersion: 'external-secrets.io/v1alpha1',
      kind: 'PushSecret',
      metadata: backup,
      spec: { secretStoreRefs: [{ name: 'mine' }], selector: { secret: { name: 'mine' } } },
    });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    assert.equal((await client.get(PushSecret, backup)).spec.selector.secret?.name, 'mine');
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(store.vault.paths(), ['kv-v2/openstack/keystone/openstack/identity/fernet-keys']);
  });
});

test('metrics of keys tell the age of the last rotation and whether there is a backup, and go with the Keystone', async () => {
  const metrics = prometheusMetrics();
  await using operator = await startKeystoneOperator(undefined, { metrics, kinds: externalSecretsKinds });
  await using store = await backupStore(operator);
  await createKeystone(operator);
  await operator.untilCondition('Ready', allReady);
  const { client, clock } = operator.cluster;
  await clock.advance(seconds(5));
  const lines = async () =>
    (await metrics.text()).split('\n').filter((line) => /^keystone_operator_(backup|key_rotation)/.test(line));
  assert.deepEqual(await lines(), [
    `keystone_operator_backup_ready${labels('fernet')} 1`,
    `keystone_operator_backup_ready${labels('credential')} 1`,
  ]);
  await rotate(operator, 'credential');
  store.vault.health = 'down';
  await rotate(operator, 'credential');
  await clock.advance(minutes(10));
  assert.deepEqual(await lines(), [
    `keystone_operator_backup_ready${labels('fernet')} 1`,
    `keystone_operator_backup_ready${labels('credential')} 0`,
    `keystone_operator_key_rotation_age_seconds${labels('credential')} 601`,
  ]);
  assert.equal(await operator.condition('Ready'), allReady);
  // A rejected rotation does not count.
  await stageKeys(operator, 'credential', freshKeys());
  assert.equal((await lines()).at(-1), `keystone_operator_key_rotation_age_seconds${labels('credential')} 602`);
  store.vault.health = 'up';
  await client.delete(Keystone, home);
  await clock.advance(minutes(10));
  assert.deepEqual(await lines(), []);
});
