// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, type Domain, type Service, type User } from '@forge/kube/third-party/korc.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { ControlPlane } from '../control-plane.ts';
import { passwordHashAnnotation } from '../names.ts';
import { passwordHash } from '../objects/password-hash.ts';
import { home } from '../test/control-plane-fixture.ts';
import {
  allReady,
  controlPlaneOperator,
  createControlPlane,
  type ControlPlaneOperator,
} from '../test/control-plane-operator.ts';
import {
  at,
  cloudsYamlName,
  credentialName,
  nudge,
  passwordCloudName,
  readyControlPlane as running,
  storePassword,
  textIn,
} from '../test/credential-steps.ts';
import { refusedRequests } from '../test/refused-requests.ts';
import { korcObjects, setKorc } from '../test/script-korc.ts';

const awaitingRevoke =
  'ReMinting: re-minting admin application credential "controlplane-admin-app-credential"; awaiting revoke of the previous credential';

/** Names of the credentials that Keystone holds. */
const held = ({ keystone }: ControlPlaneOperator) =>
  [...keystone.state.credentials.values()].map(({ shown }) => String(shown['name']));

const credential = ({ cluster: { client } }: ControlPlaneOperator) => client.get(ApplicationCredential, credentialName);
const credentialId = async (operator: ControlPlaneOperator) =>
  (await operator.controlPlane()).status?.adminApplicationCredential?.id;

/** Puts a credential of this name into Keystone, as one that nobody revoked. */
function leave({ keystone: { state } }: ControlPlaneOperator, name: string): void {
  const [userId = ''] = state.admins;
  const id = state.newId();
  state.credentials.set(id, { userId, secret: 'lost', shown: { id, name } });
}

/** Waits for a credential that is another one, and the ControlPlane that is ready with it. */
async function untilAnother(operator: ControlPlaneOperator, id: string | undefined): Promise<void> {
  await operator.cluster.clock.until(async () => {
    const current = await credentialId(operator);
    return current !== undefined && current !== id;
  });
  await operator.untilCondition('Ready', allReady);
}

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
    await operator.untilCondition('KORCReady', awaitingRevoke);
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
    await operator.untilCondition('KORCReady', awaitingRevoke);
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

  test('that was revoked behind everybody is noticed by a login within ten minutes, and minted again once', async () => {
    await using operator = await running();
    const { clock } = operator.cluster;
    await clock.advance(minutes(11));
    const before = await credentialId(operator);
    operator.keystone.state.credentials.clear();
    const lost = clock.now();
    await untilAnother(operator, before);
    assert.ok(clock.now() - lost <= minutes(11), `${clock.now() - lost} ms`);
    assert.equal(held(operator).length, 1);
    const after = await credentialId(operator);
    // At most every ten minutes, whatever Keystone says of it.
    operator.keystone.state.credentials.clear();
    await clock.advance(minutes(9));
    assert.equal(await credentialId(operator), after);
  });

  test('is not called lost by a Keystone that does not answer, or refuses the password, too', async () => {
    await using operator = await running();
    const { clock } = operator.cluster;
    const before = await credentialId(operator);
    for (const trouble of ['down', 'without database'] as const) {
      operator.keystone.health = trouble;
      await clock.advance(minutes(15));
      operator.keystone.health = 'up';
    }
    operator.keystone.refuses = (request) => (request === 'POST /v3/auth/tokens' ? 401 : undefined);
    await clock.advance(minutes(25));
    operator.keystone.refuses = () => undefined;
    await clock.advance(minutes(15));
    assert.equal(await credentialId(operator), before);
  });

  test('of somebody else under the same name is reported, and neither used nor changed', async () => {
    await using operator = await controlPlaneOperator();
    const { client, clock } = operator.cluster;
    const theirs: ApplicationCredential = {
      apiVersion: 'openstack.k-orc.cloud/v1alpha1',
      kind: 'ApplicationCredential',
      metadata: credentialName,
      spec: {
        cloudCredentialsRef: { secretName: 'theirs', cloudName: 'theirs' },
        resource: { userRef: 'theirs', secretRef: 'theirs' },
      },
    };
    await client.create(ApplicationCredential, theirs);
    await createControlPlane(operator);
    await clock.advance(seconds(30));
    const refused = /^ApplicationCredentialError: create-or-update ApplicationCredential: /;
    assert.match((await operator.condition('KORCReady')) ?? '', refused);
    const { metadata, spec } = await credential(operator);
    assert.deepEqual([metadata.ownerReferences, spec.cloudCredentialsRef.secretName], [undefined, 'theirs']);
    await client.delete(ApplicationCredential, credentialName);
    await operator.untilCondition('Ready', allReady);
  });

  test('is not called lost by a single refusal', async () => {
    await using operator = await running();
    const { clock } = operator.cluster;
    await clock.advance(minutes(11));
    const before = await credentialId(operator);
    let refusals = 0;
    operator.keystone.refuses = (request) => {
      const isRefused = request === 'POST /v3/auth/tokens' && refusals === 0;
      refusals += Number(isRefused);
      return isRefused ? 401 : undefined;
    };
    await clock.advance(minutes(11));
    assert.equal(refusals, 1);
    assert.equal(await credentialId(operator), before);
  });

  test('is neither deleted nor created while Keystone has no database: K-ORC would not revoke it', async () => {
    await using operator = await running();
    const { client, clock } = operator.cluster;
    const before = await credential(operator);
    operator.keystone.health = 'without database';
    await nudge(operator);
    await operator.untilCondition('KORCReady', awaitingRevoke);
    await clock.advance(minutes(6));
    const { metadata } = await credential(operator);
    assert.deepEqual([metadata.uid, metadata.deletionTimestamp], [before.metadata.uid, undefined]);
    operator.keystone.health = 'up';
    await untilAnother(operator, before.status?.id);
    assert.equal(held(operator).length, 1);

    await operator.neighbours.korc.stop();
    await client.patch(ApplicationCredential, credentialName, 'merge', { metadata: { finalizers: null } });
    operator.keystone.health = 'down';
    await client.delete(ApplicationCredential, credentialName);
    await clock.advance(seconds(30));
    assert.equal(await client.find(ApplicationCredential, credentialName), undefined);
    assert.equal(await operator.condition('KORCReady'), awaitingRevoke);
    operator.keystone.health = 'up';
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
    assert.equal(held(operator).length, 1);
  });

  test('says of the first one that it is not available while Keystone does not let anybody in', async () => {
    await using operator = await controlPlaneOperator();
    operator.keystone.health = 'without database';
    await createControlPlane(operator);
    await operator.cluster.clock.advance(seconds(30));
    const text = 'ApplicationCredential "controlplane-admin-app-credential" is not yet Available';
    assert.equal(await operator.condition('KORCReady'), `WaitingForApplicationCredential: ${text}`);
    assert.equal(await operator.cluster.client.find(Secret, passwordCloudName), undefined);
    operator.keystone.health = 'up';
    await operator.untilCondition('Ready', allReady);
  });

  test('is minted after all that earlier ones left in Keystone is revoked; those of others stay', async () => {
    await using operator = await controlPlaneOperator();
    for (const name of ['openstack.controlplane.0123456789ab', 'openstack.other.0123456789ab', 'mine'])
      leave(operator, name);
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(
      held(operator).filter((name) => !name.startsWith('openstack.controlplane.')),
      ['openstack.other.0123456789ab', 'mine'],
    );
    assert.equal(held(operator).length, 3);
    assert.ok(!held(operator).includes('openstack.controlplane.0123456789ab'));
  });

  test('is not minted while a leftover cannot be revoked: there are never two', async () => {
    await using operator = await controlPlaneOperator();
    leave(operator, 'openstack.controlplane.0123456789ab');
    operator.keystone.refuses = (request) => (request.startsWith('DELETE') ? 403 : undefined);
    await createControlPlane(operator);
    await operator.cluster.clock.advance(minutes(2));
    assert.deepEqual(held(operator), ['openstack.controlplane.0123456789ab']);
    operator.keystone.refuses = () => undefined;
    await operator.untilCondition('Ready', allReady);
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

  test('that K-ORC gave up on is created again while Keystone answers, at most every five minutes', async () => {
    await using operator = await controlPlaneOperator();
    const { client, clock } = operator.cluster;
    operator.keystone.refuses = (request) => (/^POST .*\/application_credentials$/.test(request) ? 409 : undefined);
    await createControlPlane(operator);
    await clock.advance(seconds(30));
    assert.match((await operator.condition('KORCReady')) ?? '', /^ApplicationCredentialFailed: /);
    const first = (await credential(operator)).metadata.uid;
    await clock.advance(minutes(4));
    assert.equal((await credential(operator)).metadata.uid, first);
    await clock.advance(minutes(1));
    const second = (await credential(operator)).metadata.uid;
    assert.notEqual(second, first);
    operator.keystone.refuses = () => undefined;
    await operator.untilCondition('Ready', allReady);
    assert.equal(held(operator).length, 1);
    assert.ok((await client.get(ControlPlane, home)).status);
  });
});

describe('the imports of the administrator', () => {
  for (const { kind, name } of [korcObjects.domain, korcObjects.user]) {
    test(`are created again when K-ORC gave up on the ${kind.kind}, at most every five minutes`, async () => {
      await using operator = await controlPlaneOperator({
        wanted: ['mariadb', 'memcached', 'externalSecrets', 'keystone'],
      });
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await clock.advance(seconds(5));
      const { uid } = (await client.get<Domain | User>(kind, at(name))).metadata;
      await setKorc(client, { kind, name }, { terminal: 'several' });
      await clock.advance(minutes(4));
      assert.equal((await client.get<Domain | User>(kind, at(name))).metadata.uid, uid);
      await clock.advance(minutes(2));
      assert.notEqual((await client.get<Domain | User>(kind, at(name))).metadata.uid, uid);
    });
  }

  test('stay when K-ORC gave up on one that the credential guards: it would be Terminating for ever', async () => {
    await using operator = await running();
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await setKorc(client, korcObjects.user, { terminal: 'several' });
    await clock.advance(minutes(25));
    const { deletionTimestamp } = (await client.get(korcObjects.user.kind, at(korcObjects.user.name))).metadata;
    assert.equal(deletionTimestamp, undefined);
  });

  test('that are deleted come back: the Domain at once, the User when K-ORC releases it with the next credential', async () => {
    await using operator = await running();
    const { client, clock } = operator.cluster;
    const { domain, user } = korcObjects;
    const stateOf = async ({ kind, name }: { kind: Kind; name: string }) => {
      const { uid, deletionTimestamp } = (await client.get(kind, at(name))).metadata;
      return { uid, isTerminating: deletionTimestamp !== undefined };
    };
    const before = { domain: await stateOf(domain), user: await stateOf(user) };
    await client.delete(domain.kind, at(domain.name));
    await client.delete(user.kind, at(user.name));
    await clock.advance(minutes(1));
    const after = { domain: await stateOf(domain), user: await stateOf(user) };
    assert.notEqual(after.domain.uid, before.domain.uid);
    // The credential, which works, guards its user.
    assert.deepEqual(after.user, { uid: before.user.uid, isTerminating: true });
    assert.equal(await operator.condition('Ready'), allReady);

    const id = await credentialId(operator);
    await nudge(operator);
    await untilAnother(operator, id);
    const next = await stateOf(user);
    assert.notEqual(next.uid, before.user.uid);
    assert.equal(next.isTerminating, false);
    assert.equal(held(operator).length, 1);
  });

  test('follow another name of the cloud, with every other login', async () => {
    await using operator = await running();
    const { client } = operator.cluster;
    const spec = { korc: { adminCredential: { cloudCredentialsRef: { cloudName: 'forge' } } } };
    await client.patch(ControlPlane, home, 'merge', { spec });
    await operator.cluster.clock.advance(seconds(30));
    await operator.untilCondition('Ready', allReady);
    for (const { kind, name } of Object.values(korcObjects)) {
      const { spec: live } = await client.get(kind as typeof Service, at(name));
      assert.equal(live.cloudCredentialsRef.cloudName, 'forge');
    }
    for (const name of [passwordCloudName, cloudsYamlName]) {
      assert.match((await textIn(operator, name.name)) ?? '', /^clouds:\n {2}forge:\n/);
    }
    assert.equal(held(operator).length, 1);
  });
});
