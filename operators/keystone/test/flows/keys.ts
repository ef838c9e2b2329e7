// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../../api/keystone.ts';
import { keyTypes, keysForAnnotation, rotationCompletedAnnotation } from '../../api/names.ts';
import { keysForOf } from '../../objects/keys/key-claim.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { freshKeys, keysIn, productionName, rotate, rotateKeys, stageKeys, stagingName } from '../played-rotation.ts';
import { jobOf, untilStart } from '../releases.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  type KeystoneOperator,
} from '../start-keystone-operator.ts';

/** Keys and their rotation. */
export function keyFlows(observer: CatalogObserver): void {
  for (const keyType of keyTypes) {
    const noun = keyType === 'fernet' ? 'Fernet' : 'Credential';

    test(`${keyType} keys that the rotation Job staged are taken into production, and nothing restarts`, async () => {
      const said: string[] = [];
      await using operator = await startKeystoneOperator(undefined, {
        observer: recording(observer, `${noun}KeysReady`, said),
      });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const pods = await apiPods(operator);
      said.length = 0;
      const rotated = await rotate(operator, keyType);
      assert.deepEqual(await keysIn(operator, keyType), rotated);
      assert.deepEqual([...new Set(said)], [`${noun}KeysRotated`, `${noun}KeysAvailable`]);
      const production = await client.get(Secret, productionName(keyType));
      assert.match(production.metadata.annotations?.[rotationCompletedAnnotation] ?? '', /Z$/);
      const staging = await client.get(Secret, stagingName(keyType));
      assert.deepEqual([staging.data, staging.metadata.annotations], [undefined, undefined]);
      assert.ok((await operator.events()).includes(`${noun}KeysRotated`));
      await clock.advance(minutes(10));
      await rotate(operator, keyType);
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(await apiPods(operator), pods);
    });

    test(`staged ${keyType} keys that cannot be trusted are rejected once, and stay for inspection`, async () => {
      await using operator = await startKeystoneOperator(undefined, { observer });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const before = await keysIn(operator, keyType);
      const passAgain = async (replicas: number) => {
        await client.patch(Keystone, home, 'merge', { spec: { replicas } });
        await clock.advance(minutes(1));
      };
      await stageKeys(operator, keyType, rotateKeys(before), 'last week');
      await passAgain(2);
      await stageKeys(operator, keyType, freshKeys());
      await passAgain(3);
      await clock.advance(minutes(30));
      assert.deepEqual(await keysIn(operator, keyType), before);
      assert.equal(Object.keys((await client.get(Secret, stagingName(keyType))).data ?? {}).length, 3);
      const { items } = await client.list(Event, { namespace: home.namespace });
      const counts = items
        .filter(({ reason }) => reason?.startsWith('Rotation'))
        .map(({ reason, count }) => [reason, count]);
      assert.deepEqual(Object.fromEntries(counts), { RotationAnnotationInvalid: 1, RotationRejected: 1 });
      // The next run of the Job is good again.
      const rotated = await rotate(operator, keyType);
      assert.deepEqual(await keysIn(operator, keyType), rotated);
    });

    test(`${keyType} keys that belong to nobody are used only when they are said to be of this database`, async () => {
      await using operator = await startKeystoneOperator(undefined, { observer });
      const { client, clock } = operator.cluster;
      const data = freshKeys();
      await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: productionName(keyType), data });
      await createKeystone(operator);
      const digest = keysForOf(keystoneFixture());
      await operator.untilCondition(
        `${noun}KeysReady`,
        `KeysOfAnotherDatabase: Secret identity-${keyType}-keys holds keys of another database; copy and delete it, ` +
          `or set forge.c5c3.io/keys-for=${digest} to use it`,
      );
      await clock.advance(minutes(20));
      assert.deepEqual(await keysIn(operator, keyType), data);
      const metadata = { annotations: { [keysForAnnotation]: digest } };
      await client.patch(Secret, productionName(keyType), 'merge', { metadata });
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(await keysIn(operator, keyType), data);
    });

    test(`a ${keyType} key Secret that is being deleted is awaited, and nothing is generated beside it`, async () => {
      await using operator = await startKeystoneOperator(undefined, { observer });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const { data } = await client.patch(Secret, productionName(keyType), 'merge', {
        metadata: { finalizers: ['example.com/hold'] },
      });
      await client.delete(Secret, productionName(keyType));
      await operator.untilCondition(
        `${noun}KeysReady`,
        `KeysTerminating: Secret identity-${keyType}-keys is being deleted; copy it while it is there`,
      );
      await stageKeys(operator, keyType, rotateKeys(data ?? {}));
      await clock.advance(minutes(2));
      assert.deepEqual(await keysIn(operator, keyType), data);
      assert.equal((await operator.events()).filter((reason) => reason === `${noun}KeysGenerated`).length, 1);
      await client.patch(Secret, productionName(keyType), 'merge', { metadata: { finalizers: null } });
      await untilStart(operator, `${noun}KeysReady`, keyType === 'fernet' ? '+FernetKeysAvailable' : 'KeysMissing');
    });

    test(`a ${keyType} key Secret without a key is none, and heals when its keys are restored`, async () => {
      await using operator = await startKeystoneOperator(undefined, { observer });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const { data = {} } = await client.get(Secret, productionName(keyType));
      const emptied = Object.fromEntries(Object.keys(data).map((index) => [index, null]));
      await client.patch(Secret, productionName(keyType), 'merge', { data: { ...emptied, note: 'bm8=' } });
      await operator.untilCondition(
        `${noun}KeysReady`,
        `KeysMissing: Secret identity-${keyType}-keys holds no keys; restore them from the backup` +
          (keyType === 'fernet' ? ', or delete it to have new ones generated' : ''),
      );
      await clock.advance(minutes(2));
      assert.deepEqual(await keysIn(operator, keyType), { note: 'bm8=' });
      await client.patch(Secret, productionName(keyType), 'merge', { data: { ...data, note: null } });
      await operator.untilCondition('Ready', allReady);
    });
  }

  test('credential keys of another database are generated once they are deleted, and before the schema', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    const { client, clock } = operator.cluster;
    const metadata = productionName('credential');
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data: freshKeys() });
    await createKeystone(operator);
    await untilStart(operator, 'CredentialKeysReady', 'KeysOfAnotherDatabase');
    await operator.untilCondition(
      'DatabaseReady',
      'WaitingForCredentialKeys: db_sync waits for the keys in Secret identity-credential-keys',
    );
    await clock.advance(minutes(2));
    assert.equal(await jobOf(operator, 'db-sync'), undefined);
    await client.delete(Secret, productionName('credential'));
    await operator.untilCondition('Ready', allReady);
  });

  for (const tag of ['2025.2', 'latest']) testLostKeys(tag, observer);

  test('a corrected address of the database is no other database', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    await client.patch(Keystone, home, 'merge', { spec: { database: { host: 'db2.example' } } });
    await clock.advance(seconds(90));
    assert.match((await operator.condition('CredentialKeysReady')) ?? '', /^\+CredentialKeysAvailable/);
    const { annotations } = (await client.get(Secret, productionName('credential'))).metadata;
    assert.equal(annotations?.[keysForAnnotation], keysForOf(await operator.keystone()));
  });
}

/** What happens to deleted keys, whatever the tag of the image. */
function testLostKeys(tag: string, observer: CatalogObserver): void {
  test(`Fernet keys that somebody deleted are generated anew, credential keys must be restored: ${tag}`, async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createKeystone(operator, { image: { repository: 'c5c3/keystone', tag } });
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const lost = await client.get(Secret, productionName('credential'));
    await client.delete(Secret, productionName('fernet'));
    await client.delete(Secret, productionName('credential'));
    await operator.untilCondition(
      'CredentialKeysReady',
      'KeysMissing: Secret identity-credential-keys is gone; restore it from the backup',
    );
    await clock.advance(minutes(20));
    assert.equal(await client.find(Secret, productionName('credential')), undefined);
    assert.match((await operator.condition('FernetKeysReady')) ?? '', /^\+FernetKeysAvailable/);
    const annotations = { [keysForAnnotation]: keysForOf(keystoneFixture()) };
    const metadata = { ...productionName('credential'), annotations };
    await client.create(Secret, { ...lost, metadata });
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(await keysIn(operator, 'credential'), lost.data);
  });
}

/** Names of the pods that serve the API. */
async function apiPods(operator: KeystoneOperator): Promise<string[]> {
  const labelSelector = 'app.kubernetes.io/name=keystone';
  const { items } = await operator.cluster.client.list(Pod, { namespace: home.namespace, labelSelector });
  return items.map(({ metadata }) => metadata.name);
}

/** Observes for the catalog, and records the reasons of one condition. */
function recording(observer: CatalogObserver, type: string, reasons: string[]): CatalogObserver {
  return {
    condition(said) {
      if (said.type === type) reasons.push(said.reason);
      observer.condition(said);
    },
    event: (said) => observer.event(said),
  };
}
