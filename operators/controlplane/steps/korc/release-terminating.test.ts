// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import {
  cloudsYamlName,
  credentialName,
  nudge,
  passwordCloudName,
  readyControlPlane,
  setSynced,
  textIn,
} from '../../test/credential-steps.ts';
import { allReady, type ControlPlaneOperator } from '../../test/start-control-plane-operator.ts';

describe('a Secret that K-ORC logs in with, when it is deleted', () => {
  test('by its ExternalSecret: that is created again, keeps the content current, and replaces the Secret', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const { uid } = (await client.get(Secret, cloudsYamlName)).metadata;
    await client.delete(ExternalSecret, cloudsYamlName);
    await clock.advance(seconds(15));
    assert.equal(await operator.condition('Ready'), allReady);
    // Another pass does not put it off.
    await clock.advance(seconds(30));
    await nudge(operator);
    await clock.advance(seconds(30));
    const document = await textIn(operator, credentialName.name);
    const { metadata } = await client.get(Secret, cloudsYamlName);
    assert.deepEqual([metadata.deletionTimestamp, metadata.uid === uid], [undefined, false]);
    assert.equal(await textIn(operator, cloudsYamlName.name), document);
    assert.equal(await operator.condition('Ready'), allReady);
  });

  test('by its ExternalSecret in the foreground, which waits for the Secret: both are replaced', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await clock.advance(minutes(30));
    const uids = async () => [
      (await client.find(ExternalSecret, cloudsYamlName))?.metadata.uid,
      (await client.find(Secret, cloudsYamlName))?.metadata.uid,
    ];
    const before = await uids();
    await client.delete(ExternalSecret, cloudsYamlName, { propagation: 'Foreground' });
    await clock.advance(seconds(90));
    assert.equal(await operator.condition('Ready'), allReady);
    for (const uid of await uids()) assert.ok(uid !== undefined && !before.includes(uid));
  });

  for (const [what, lose] of [
    ['External Secrets is away', async () => {}],
    [
      'the secret store is down',
      async (operator) => {
        await operator.cluster.client.patch(ExternalSecret, cloudsYamlName, 'merge', {
          metadata: { finalizers: ['foregroundDeletion'] },
        });
        await setSynced(operator, 'store', 'False');
      },
    ],
  ] satisfies [string, (operator: ControlPlaneOperator) => Promise<unknown>][]) {
    test(`by its ExternalSecret in the foreground stays, and can be read, while ${what}`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      await operator.neighbours.externalSecrets.stop();
      const document = await textIn(operator, cloudsYamlName.name);
      await client.delete(ExternalSecret, cloudsYamlName, { propagation: 'Foreground' });
      await lose(operator);
      await clock.advance(minutes(5));
      assert.equal(await textIn(operator, cloudsYamlName.name), document);
    });
  }

  test('stays, and can be read, while External Secrets could not create it again', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await clock.advance(minutes(5));
    await operator.neighbours.externalSecrets.stop();
    const document = await textIn(operator, cloudsYamlName.name);
    await client.delete(Secret, cloudsYamlName);
    await clock.advance(minutes(5));
    assert.equal(await textIn(operator, cloudsYamlName.name), document);
    await operator.neighbours.externalSecrets.start();
    await client.patch(ExternalSecret, cloudsYamlName, 'merge', { metadata: { annotations: { refresh: '1' } } });
    await clock.advance(seconds(75));
    assert.equal((await client.get(Secret, cloudsYamlName)).metadata.deletionTimestamp, undefined);
    assert.equal(await operator.condition('Ready'), allReady);
  });

  test('keeps what others hold it with', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const { finalizers = [] } = (await client.get(Secret, passwordCloudName)).metadata;
    const held = { metadata: { finalizers: [...finalizers, 'example.com/hold'] } };
    await client.patch(Secret, passwordCloudName, 'merge', held);
    await client.delete(Secret, passwordCloudName);
    await clock.advance(minutes(2));
    assert.deepEqual((await client.get(Secret, passwordCloudName)).metadata.finalizers, ['example.com/hold']);
  });

  test('by hand: the login by password is created again, and serves the next rotation', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await client.delete(Secret, passwordCloudName);
    await clock.advance(seconds(30));
    assert.notEqual((await client.get(Secret, passwordCloudName)).metadata.deletionTimestamp, undefined);
    await clock.advance(seconds(60));
    assert.equal((await client.get(Secret, passwordCloudName)).metadata.deletionTimestamp, undefined);
    const { id } = (await operator.controlPlane()).status?.adminApplicationCredential ?? {};
    await nudge(operator);
    await clock.advance(minutes(1));
    assert.notEqual((await operator.controlPlane()).status?.adminApplicationCredential?.id, id);
    assert.equal(await operator.condition('Ready'), allReady);
  });
});
