// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { createMinted, credential, credentialName, setSynced } from '../../test/credential-steps.ts';
import { korcObjects, setKorc } from '../../test/script-korc.ts';
import { startControlPlaneOperator } from '../../test/start-control-plane-operator.ts';

test('status tells whether the credential in Keystone is restricted, and until K-ORC reports that, what is asked for', async () => {
  await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
  const { client, clock } = operator.cluster;
  await createMinted(operator);
  const restricted = async () => (await operator.controlPlane()).status?.adminApplicationCredential?.restricted;
  assert.equal(await restricted(), true);
  for (const unrestricted of [true, false]) {
    const status = { resource: { unrestricted } };
    await client.patch(ApplicationCredential, credentialName, 'merge', { status }, { subresource: 'status' });
    await clock.settle();
    assert.equal(await restricted(), unrestricted ? undefined : true);
  }
});

test('status follows the id that K-ORC reports; only another one counts as a rotation', async () => {
  await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
  const { client, clock } = operator.cluster;
  await createMinted(operator);
  const statusAfter = async (state: Parameters<typeof setKorc>[2]) => {
    await clock.advance(minutes(1));
    await setKorc(client, korcObjects.credential, state);
    await clock.settle();
    return (await operator.controlPlane()).status?.adminApplicationCredential;
  };
  const first = await statusAfter({ available: 'c1' });
  assert.deepEqual(await statusAfter('pending'), { restricted: true, lastRotation: first?.lastRotation });
  const second = await statusAfter({ available: 'c2' });
  assert.equal(second?.id, 'c2');
  assert.equal(Date.parse(second.lastRotation ?? '') - Date.parse(first?.lastRotation ?? ''), minutes(3));
  assert.deepEqual(await statusAfter({ terminal: '409' }), { restricted: true, lastRotation: second.lastRotation });
});

test('a credential that K-ORC gave up on is not ready, although K-ORC still calls it available', async () => {
  await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
  const { client, clock } = operator.cluster;
  await createMinted(operator);
  await setKorc(client, korcObjects.credential, { available: 'c1', terminal: 'gone' });
  await clock.settle();
  assert.match((await operator.condition('KORCReady')) ?? '', /^ApplicationCredentialFailed: .* terminally: gone$/);
});

for (const [what, isDead] of [
  ['is kept while the store is not ready as long as it works: the next one would reach nobody', false],
  ['is replaced although the store is not ready when Keystone refuses it', true],
] as const) {
  test(`a credential that K-ORC gave up on ${what}`, async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    await setSynced(operator, 'store');
    await createMinted(operator);
    const { uid } = (await credential(operator)).metadata;
    const isReplaced = async () => (await client.find(ApplicationCredential, credentialName))?.metadata.uid !== uid;
    await setSynced(operator, 'store', 'False');
    await setKorc(client, korcObjects.credential, { available: 'c1', terminal: 'conflict' });
    if (isDead) operator.keystone.state.credentials.clear();
    await clock.advance(minutes(4));
    assert.match((await operator.condition('KORCReady')) ?? '', /^ApplicationCredentialFailed: /);
    await clock.advance(minutes(8));
    assert.equal(await isReplaced(), isDead);
    if (isDead) return;
    assert.match((await operator.condition('KORCReady')) ?? '', /^SecretStoreNotReady: /);
    await setSynced(operator, 'store');
    await clock.advance(minutes(1));
    assert.equal(await isReplaced(), true);
  });
}
