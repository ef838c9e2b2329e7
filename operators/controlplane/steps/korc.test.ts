// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { passwordHashAnnotation } from '../api/names.ts';
import { passwordHash } from '../objects/password-hash.ts';
import { home } from '../test/control-plane-fixture.ts';
import {
  cloudsYamlName,
  credentialName,
  nudge,
  passwordCloudName,
  readyControlPlane as running,
  storePassword,
  textIn,
  awaitingRevoke,
  held,
  credential,
  credentialId,
  untilAnother,
} from '../test/credential-steps.ts';
import { refusedRequests } from '../test/refused-requests.ts';
import { allReady } from '../test/start-control-plane-operator.ts';

describe('the admin application credential', () => {
  test('is minted with the value of its Secret, and status tells its id, restriction and time', async () => {
    await using operator = await running();
    const value = (await textIn(operator, credentialName.name, 'value')) ?? '';
    assert.match(value, /^[A-Za-z0-9_-]{43}$/);
    const minted = operator.keystone.state.credentials.values().next().value;
    assert.equal(minted?.secret, value);
    assert.equal(minted.shown['unrestricted'], false);
    const { status } = await operator.controlPlane();
    const { id, restricted, lastRotation } = status?.adminApplicationCredential ?? {};
    assert.deepEqual([id, restricted], [minted.shown.id, true]);
    assert.ok(lastRotation !== undefined);
    const live = await credential(operator);
    assert.equal(live.metadata.annotations?.[passwordHashAnnotation], passwordHash('admin-secret'));
    assert.deepEqual(live.metadata.ownerReferences, [controllerReference(await operator.controlPlane())]);
  });

  test('is re-minted when a rotation asks for it: the old one is revoked, the new one is in clouds.yaml', async () => {
    await using operator = await running();
    const [old] = held(operator);
    const before = await credentialId(operator);
    await operator.cluster.clock.advance(seconds(60));
    await nudge(operator);
    await untilAnother(operator, before);
    assert.equal(held(operator).length, 1);
    assert.notEqual(held(operator)[0], old);
    assert.ok((await textIn(operator, cloudsYamlName.name))?.includes(String(await credentialId(operator))));
    const { lastRotation = '' } = (await operator.controlPlane()).status?.adminApplicationCredential ?? {};
    assert.ok(Date.parse(lastRotation) >= Date.UTC(2026, 0, 1) + seconds(60));
  });

  test('is re-minted with a new password once Keystone accepts it, not before', async () => {
    await using operator = await running();
    const { clock } = operator.cluster;
    const before = await credentialId(operator);
    const cloud = await textIn(operator, passwordCloudName.name);
    await storePassword(operator, 'second');
    await operator.untilCondition('KORCReady', `${awaitingRevoke}: Keystone refuses the admin password`);
    await clock.advance(minutes(2));
    assert.equal(await textIn(operator, passwordCloudName.name), cloud);
    assert.equal(await credentialId(operator), before);
    operator.keystone.bootstrap({ password: 'second' });
    await untilAnother(operator, before);
    assert.match((await textIn(operator, passwordCloudName.name)) ?? '', /password: "second"/);
    assert.equal(held(operator).length, 1);
    const { annotations } = (await credential(operator)).metadata;
    assert.equal(annotations?.[passwordHashAnnotation], passwordHash('second'));
  });

  test('is left alone when the password changes back before Keystone learns of it', async () => {
    await using operator = await running();
    const before = await credentialId(operator);
    await storePassword(operator, 'second');
    await operator.untilCondition('KORCReady', `${awaitingRevoke}: Keystone refuses the admin password`);
    await storePassword(operator, 'admin-secret');
    await operator.untilCondition('Ready', allReady);
    assert.equal(await credentialId(operator), before);
  });

  for (const [what, change] of [
    ['its restriction', { restricted: false }],
    ['its access rules', { accessRules: [{ service: 'controlplane-identity-service', path: '/v3/users' }] }],
  ] as const) {
    test(`is re-minted when ${what} changes: K-ORC allows no change of it`, async () => {
      await using operator = await running();
      const before = await credentialId(operator);
      const spec = { korc: { adminCredential: { applicationCredential: change } } };
      await operator.cluster.client.patch(ControlPlane, home, 'merge', { spec });
      await untilAnother(operator, before);
      assert.equal(held(operator).length, 1);
      const { restricted } = (await operator.controlPlane()).status?.adminApplicationCredential ?? {};
      assert.equal(restricted, 'restricted' in change ? undefined : true);
    });
  }

  test('without its annotation was minted with nobody knows which password: another one is minted', async () => {
    await using operator = await running();
    const before = await credentialId(operator);
    const metadata = { annotations: { [passwordHashAnnotation]: null } };
    await operator.cluster.client.patch(ApplicationCredential, credentialName, 'merge', { metadata });
    await untilAnother(operator, before);
  });

  test('is re-minted when its Secret or the value in it is lost or replaced: the old value is nowhere any more', async () => {
    await using operator = await running();
    const { client } = operator.cluster;
    for (const lose of [
      () => client.delete(Secret, credentialName),
      () => client.patch(Secret, credentialName, 'merge', { data: { value: '' } }),
      () => client.patch(Secret, credentialName, 'merge', { data: { value: btoa('guess') } }),
    ]) {
      const before = await credentialId(operator);
      await lose();
      await untilAnother(operator, before);
      assert.equal(held(operator).length, 1);
    }
  });

  test('is minted again when its object is deleted, with no second one in Keystone', async () => {
    await using operator = await running();
    const before = await credentialId(operator);
    await operator.cluster.client.delete(ApplicationCredential, credentialName);
    await untilAnother(operator, before);
    assert.equal(held(operator).length, 1);
  });

  test('has one successor when the operator dies between the new value and the deletion', async () => {
    const refused = refusedRequests();
    await using operator = await running(refused);
    const before = await credentialId(operator);
    refused.pattern = /DELETE .*\/applicationcredentials\//;
    await nudge(operator);
    await operator.cluster.clock.settle();
    const value = await textIn(operator, credentialName.name, 'value');
    await operator.stop();
    refused.pattern = undefined;
    await operator.start();
    await untilAnother(operator, before);
    assert.equal(await textIn(operator, credentialName.name, 'value'), value);
    assert.equal(held(operator).length, 1);
  });
});
