// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { Keystone } from '../../keystone.ts';
import { keyFlavours, keysForAnnotation, rotationCompletedAnnotation } from '../../names.ts';
import { keysForOf } from '../../objects/keys/key-claim.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { allReady, createKeystone, home, keystoneOperator, type KeystoneOperator } from '../keystone-operator.ts';
import { freshKeys, keysIn, productionName, rotate, rotateKeys, stageKeys, stagingName } from '../played-rotation.ts';
import { jobOf, untilStart } from '../releases.ts';

/** Keys and their rotation. */
export function keyFlows(observer: ContractObserver): void {
  for (const flavour of keyFlavours) {
    const noun = flavour === 'fernet' ? 'Fernet' : 'Credential';

    test(`${flavour} keys that the rotation Job staged are taken into production, and nothing restarts`, async () => {
      const said: string[] = [];
      await using operator = await keystoneOperator(undefined, {
        observer: recording(observer, `${noun}KeysReady`, said),
      });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const pods = await apiPods(operator);
      said.length = 0;
      const rotated = await rotate(operator, flavour);
      assert.deepEqual(await keysIn(operator, flavour), rotated);
      assert.deepEqual([...new Set(said)], [`${noun}KeysRotated`, `${noun}KeysAvailable`]);
      const production = await client.get(Secret, productionName(flavour));
      assert.match(production.metadata.annotations?.[rotationCompletedAnnotation] ?? '', /Z$/);
      const staging = await client.get(Secret, stagingName(flavour));
      assert.deepEqual([staging.data, staging.metadata.annotations], [undefined, undefined]);
      assert.ok((await operator.events()).includes(`${noun}KeysRotated`));
      await clock.advance(minutes(10));
      await rotate(operator, flavour);
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(await apiPods(operator), pods);
    });

    test(`staged ${flavour} keys that cannot be trusted are rejected once, and stay for inspection`, async () => {
      await using operator = await keystoneOperator(undefined, { observer });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const before = await keysIn(operator, flavour);
      const passAgain = async (replicas: number) => {
        await client.patch(Keystone, home, 'merge', { spec: { replicas } });
        await clock.advance(minutes(1));
      };
      await stageKeys(operator, flavour, rotateKeys(before), 'last week');
      await passAgain(2);
      await stageKeys(operator, flavour, freshKeys());
      await passAgain(3);
      await clock.advance(minutes(30));
      assert.deepEqual(await keysIn(operator, flavour), before);
      assert.equal(Object.keys((await client.get(Secret, stagingName(flavour))).data ?? {}).length, 3);
      const { items } = await client.list(Event, { namespace: home.namespace });
      const counts = items
        .filter(({ reason }) => reason?.startsWith('Rotation'))
        .map(({ reason, count }) => [reason, count]);
      assert.deepEqual(Object.fromEntries(counts), { RotationAnnotationInvalid: 1, RotationRejected: 1 });
      // The next run of the Job is good again.
      const rotated = await rotate(operator, flavour);
      assert.deepEqual(await keysIn(operator, flavour), rotated);
    });

    test(`${flavour} keys that belong to nobody are used only when they are said to be of this database`, async () => {
      await using operator = await keystoneOperator(undefined, { observer });
      const { client, clock } = operator.cluster;
      const data = freshKeys();
      await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: productionName(flavour), data });
      await createKeystone(operator);
      const digest = keysForOf(keystoneFixture());
      await operator.untilCondition(
        `${noun}KeysReady`,
        `KeysOfAnotherDatabase: Secret identity-${flavour}-keys holds keys of another database; copy and delete it, ` +
          `or set forge.c5c3.io/keys-for=${digest} to use it`,
      );
      await clock.advance(minutes(20));
      assert.deepEqual(await keysIn(operator, flavour), data);
      const metadata = { annotations: { [keysForAnnotation]: digest } };
      await client.patch(Secret, productionName(flavour), 'merge', { metadata });
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(await keysIn(operator, flavour), data);
    });

    test(`a ${flavour} key Secret that is being deleted is awaited, and nothing is generated beside it`, async () => {
      await using operator = await keystoneOperator(undefined, { observer });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const { data } = await client.patch(Secret, productionName(flavour), 'merge', {
        metadata: { finalizers: ['example.com/hold'] },
      });
      await client.delete(Secret, productionName(flavour));
      await operator.untilCondition(
        `${noun}KeysReady`,
        `KeysTerminating: Secret identity-${flavour}-keys is being deleted; copy it while it is there`,
      );
      await stageKeys(operator, flavour, rotateKeys(data ?? {}));
      await clock.advance(minutes(2));
      assert.deepEqual(await keysIn(operator, flavour), data);
      assert.equal((await operator.events()).filter((reason) => reason === `${noun}KeysGenerated`).length, 1);
      await client.patch(Secret, productionName(flavour), 'merge', { metadata: { finalizers: null } });
      await untilStart(operator, `${noun}KeysReady`, flavour === 'fernet' ? '+FernetKeysAvailable' : 'KeysMissing');
    });

    test(`a ${flavour} key Secret without a key is none, and heals when its keys are restored`, async () => {
      await using operator = await keystoneOperator(undefined, { observer });
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const { client, clock } = operator.cluster;
      const { data = {} } = await client.get(Secret, productionName(flavour));
      const emptied = Object.fromEntries(Object.keys(data).map((index) => [index, null]));
      await client.patch(Secret, productionName(flavour), 'merge', { data: { ...emptied, note: 'bm8=' } });
      await operator.untilCondition(
        `${noun}KeysReady`,
        `KeysMissing: Secret identity-${flavour}-keys holds no keys; restore them from the backup` +
          (flavour === 'fernet' ? ', or delete it to have new ones generated' : ''),
      );
      await clock.advance(minutes(2));
      assert.deepEqual(await keysIn(operator, flavour), { note: 'bm8=' });
      await client.patch(Secret, productionName(flavour), 'merge', { data: { ...data, note: null } });
      await operator.untilCondition('Ready', allReady);
    });
  }

  test('credential keys of another database are generated once they are deleted, and before the schema', async () => {
    await using operator = await keystoneOperator(undefined, { observer });
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
    await using operator = await keystoneOperator(undefined, { observer });
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

/** What becomes of keys that somebody deletes, whatever the tag of the image. */
function testLostKeys(tag: string, observer: ContractObserver): void {
  test(`Fernet keys that somebody deleted are generated anew, credential keys must be restored: ${tag}`, async () => {
    await using operator = await keystoneOperator(undefined, { observer });
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

/** Observes for the contract, and notes the reasons that one condition gives. */
function recording(observer: ContractObserver, type: string, reasons: string[]): ContractObserver {
  return {
    condition(said) {
      if (said.type === type) reasons.push(said.reason);
      observer.condition(said);
    },
    event: (said) => observer.event(said),
  };
}
