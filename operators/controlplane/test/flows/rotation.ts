// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResourceDefinition, Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import type { World } from '@forge/simulation/world/world.ts';
import { denyAccess } from '@forge/testing/least-privilege.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { CredentialRotation } from '../../api/credential-rotation.ts';
import { namesOf } from '../../api/names.ts';
import { passwordHash } from '../../objects/password-hash.ts';
import { brownfield, controlPlaneFixture } from '../control-plane-fixture.ts';
import {
  changeRotation,
  controlPlane,
  createTarget,
  credential,
  hashOn,
  operatorName,
  passwordSecret,
  readyOf,
  rotationOf,
  rotationWorld,
  setStoreReady,
  statusOf,
} from '../rotation-world.ts';

const reasons = ({ state }: World) => state.list(Event).map(({ reason }) => reason);
const credentialName = { namespace: 'openstack', name: namesOf(controlPlane()).applicationCredential };
const passwordName = { namespace: 'openstack', name: passwordSecret().metadata.name };

/** What is reported about a CredentialRotation. */
export function rotationFlows(observer: CatalogObserver): void {
  test('waits for the ControlPlane, its credential and the password, then finds nothing to do', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(here.user.create(CredentialRotation, rotationOf()));
    await here.until(() => readyOf(here) === 'NoControlPlane');
    await here.during(here.user.create(ControlPlane, controlPlane()));
    await here.until(() => readyOf(here) === 'WaitingForApplicationCredential');
    await here.during(here.user.create(ApplicationCredential, credential()));
    await here.until(() => readyOf(here) === 'WaitingForAdminPassword');
    await here.during(here.user.create(Secret, { ...passwordSecret(), data: {} }));
    await here.advance(seconds(20));
    assert.equal(readyOf(here), 'WaitingForAdminPassword');
    await here.during(here.user.patch(Secret, passwordName, 'merge', { data: passwordSecret().data }));
    await here.until(() => readyOf(here) === '+NoRotationNeeded', seconds(11));
    assert.deepEqual([hashOn(here), reasons(here)], [passwordHash('hunter2'), []]);
  });

  test('clears the digest when the password is another one, and says so until there is a new credential', async () => {
    await using here = await rotationWorld({ observer, resync: minutes(10) });
    await here.during(createTarget(here.user));
    await here.during(here.user.create(CredentialRotation, rotationOf()));
    await here.until(() => readyOf(here) === '+NoRotationNeeded');
    await here.during(here.user.patch(Secret, passwordName, 'merge', { data: passwordSecret('changed').data }));
    await here.until(() => readyOf(here) === '+RotationTriggered', minutes(11));
    assert.deepEqual([hashOn(here), reasons(here)], ['', ['RotationNudged']]);
    assert.equal(statusOf(here).lastTriggeredGeneration, undefined);
    const annotations = { 'forge.c5c3.io/admin-password-hash': passwordHash('changed') };
    await here.during(here.user.patch(ApplicationCredential, credentialName, 'merge', { metadata: { annotations } }));
    await here.until(() => readyOf(here) === '+NoRotationNeeded');
  });

  test('compares with the password under the key that the ControlPlane names', async () => {
    await using here = await rotationWorld({ observer });
    const { adminCredential } = controlPlaneFixture().spec.korc;
    const passwordSecretRef = { name: 'mine', key: 'admin' };
    const korc = { adminCredential: { ...adminCredential, passwordSecretRef } };
    const spec = controlPlaneFixture({ infrastructure: brownfield, korc }).spec;
    const metadata = { ...passwordName, name: passwordSecretRef.name };
    const data = { admin: btoa('hunter2'), password: btoa('another') };
    await here.during(here.user.create(ControlPlane, { ...controlPlane(), spec }));
    await here.during(here.user.create(Secret, { ...passwordSecret(), metadata, data }));
    await here.during(here.user.create(ApplicationCredential, credential()));
    await here.during(here.user.create(CredentialRotation, rotationOf()));
    await here.until(() => readyOf(here) === '+NoRotationNeeded');
  });

  test('counts a digest that is missing as another one, and writes none', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    const annotations = { 'forge.c5c3.io/admin-password-hash': null };
    await here.during(here.user.patch(ApplicationCredential, credentialName, 'merge', { metadata: { annotations } }));
    await here.during(here.user.create(CredentialRotation, rotationOf()));
    await here.until(() => readyOf(here) === '+RotationTriggered');
    assert.deepEqual([hashOn(here), reasons(here)], [undefined, []]);
  });

  test('rotates once for every change of the spec that asks for it, not at every resync', async () => {
    await using here = await rotationWorld({ observer, resync: minutes(10) });
    await here.during(createTarget(here.user));
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === '+RotationTriggered');
    assert.deepEqual(
      [hashOn(here), statusOf(here).lastTriggeredGeneration, statusOf(here).pendingUID],
      ['', 1, undefined],
    );

    const annotations = { 'forge.c5c3.io/admin-password-hash': passwordHash('hunter2') };
    const reMint = () => here.user.patch(ApplicationCredential, credentialName, 'merge', { metadata: { annotations } });
    await here.during(reMint());
    await here.until(() => readyOf(here) === '+NoRotationNeeded');
    await here.advance(minutes(30));
    assert.deepEqual([readyOf(here), hashOn(here)], ['+NoRotationNeeded', passwordHash('hunter2')]);

    await here.during(changeRotation(here.user, { intervalDays: 30 }));
    await here.until(() => hashOn(here) === '');
    await here.until(() => statusOf(here).lastTriggeredGeneration === 2);
    assert.deepEqual(new Set(reasons(here)), new Set(['RotationNudged', 'ScheduledRotationDeferred']));
  });

  for (const [what, spec] of [
    ['on request', { reMint: true }],
    ['after a change of the password', {}],
  ] as const) {
    test(`stays triggered ${what} while the old credential is gone and the new one is not there yet`, async () => {
      await using here = await rotationWorld({ observer });
      await here.during(createTarget(here.user));
      await here.during(here.user.patch(Secret, passwordName, 'merge', { data: passwordSecret('changed').data }));
      await here.during(here.user.create(CredentialRotation, rotationOf(spec)));
      await here.until(() => readyOf(here) === '+RotationTriggered');
      await here.during(here.user.delete(ApplicationCredential, credentialName));
      await here.advance(seconds(30));
      assert.equal(readyOf(here), '+RotationTriggered');
      const annotations = { 'forge.c5c3.io/admin-password-hash': passwordHash('changed') };
      const { metadata, ...rest } = credential();
      await here.during(here.user.create(ApplicationCredential, { ...rest, metadata: { ...metadata, annotations } }));
      await here.until(() => readyOf(here) === '+NoRotationNeeded');
      assert.deepEqual(reasons(here), ['RotationNudged']);
    });
  }

  test('reports fields of a schedule once for every change of the spec, not at every resync', async () => {
    await using here = await rotationWorld({ observer, resync: minutes(10) });
    await here.during(createTarget(here.user));
    const sent = () => here.state.list(Event).reduce((sum, { count = 1 }) => sum + count, 0);
    await here.during(here.user.create(CredentialRotation, rotationOf({ gracePeriodDays: 1 })));
    await here.until(() => readyOf(here) === '+NoRotationNeeded');
    await here.advance(minutes(30));
    assert.deepEqual([reasons(here), sent()], [['ScheduledRotationDeferred'], 1]);
    await here.during(changeRotation(here.user, { gracePeriodDays: 2 }));
    await here.advance(minutes(30));
    assert.equal(sent(), 2);
  });

  test('waits for a credential that is asked to be replaced', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(here.user.create(ControlPlane, controlPlane()));
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === 'WaitingForApplicationCredential');
    assert.equal(statusOf(here).lastTriggeredGeneration, undefined);
  });

  test('forgets a request that was withdrawn before it was done', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    await here.during(here.user.create(CredentialRotation, rotationOf()));
    await here.until(() => readyOf(here) === '+NoRotationNeeded');
    const { metadata } = here.state.list(CredentialRotation)[0] ?? rotationOf();
    const ref = { namespace: metadata.namespace, name: metadata.name };
    const status = { pendingUID: 'gone' };
    await here.during(here.user.patch(CredentialRotation, ref, 'merge', { status }, { subresource: 'status' }));
    await here.until(() => statusOf(here).pendingUID === undefined);
    await here.during(changeRotation(here.user, { reMint: true }));
    await here.until(() => hashOn(here) === '');
  });

  test('serves a change of the spec that came while an earlier request was under way, too', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === 'NoControlPlane');
    // As a process leaves it that crashed between requesting a new credential and recording this.
    const { metadata } = rotationOf();
    const status = { pendingUID: 'replaced meanwhile', pendingGeneration: 1 };
    await here.during(here.user.patch(CredentialRotation, metadata, 'merge', { status }, { subresource: 'status' }));
    await here.during(changeRotation(here.user, { intervalDays: 30 }));
    await here.during(createTarget(here.user));
    await here.until(() => statusOf(here).lastTriggeredGeneration === 2);
    const { pendingUID, pendingGeneration } = statusOf(here);
    assert.deepEqual([hashOn(here), pendingUID, pendingGeneration], ['', undefined, undefined]);
  });

  test('notes which spec asked before it touches the credential, so that a later one is served, too', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    const { uid } = here.state.find(ApplicationCredential, credentialName)?.metadata ?? {};
    const allow = await here.during(denyAccess(here.user, operatorName, 'patch', ApplicationCredential));
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === 'ApplyRejected');
    assert.deepEqual([statusOf(here).pendingUID, statusOf(here).pendingGeneration], [uid, 1]);
    // The credential that the first spec is about is replaced for another reason.
    await here.during(changeRotation(here.user, { intervalDays: 30 }));
    await here.during(here.user.delete(ApplicationCredential, credentialName));
    await here.during(here.user.create(ApplicationCredential, credential()));
    await here.during(allow());
    await here.until(() => statusOf(here).lastTriggeredGeneration === 2);
    assert.equal(hashOn(here), '');
  });

  test('is done once the credential is touched, whatever becomes of the secret store', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    await here.during(setStoreReady(here.user, 'False'));
    const annotations = { 'forge.c5c3.io/admin-password-hash': '' };
    await here.during(here.user.patch(ApplicationCredential, credentialName, 'merge', { metadata: { annotations } }));
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === 'SecretStoreNotReady');
    const { metadata } = rotationOf();
    const { uid: pendingUID } = here.state.find(ApplicationCredential, credentialName)?.metadata ?? {};
    const status = { pendingUID, pendingGeneration: 1 };
    await here.during(here.user.patch(CredentialRotation, metadata, 'merge', { status }, { subresource: 'status' }));
    await here.until(() => readyOf(here) === '+RotationTriggered');
    assert.equal(statusOf(here).lastTriggeredGeneration, 1);
  });

  for (const [what, spec] of [
    ['on request', { reMint: true }],
    ['after a change of the password', {}],
  ] as const) {
    test(`waits ${what} while the secret store is not ready: the new credential would reach nobody`, async () => {
      await using here = await rotationWorld({ observer });
      await here.during(setStoreReady(here.user, 'False'));
      await here.during(createTarget(here.user));
      await here.during(here.user.patch(Secret, passwordName, 'merge', { data: passwordSecret('changed').data }));
      await here.during(here.user.create(CredentialRotation, rotationOf(spec)));
      await here.until(() => readyOf(here) === 'SecretStoreNotReady');
      await here.advance(minutes(5));
      assert.deepEqual([hashOn(here), statusOf(here).pendingUID], [passwordHash('hunter2'), undefined]);
      await here.during(setStoreReady(here.user, 'True'));
      await here.until(() => readyOf(here) === '+RotationTriggered');
      assert.equal(hashOn(here), '');
    });
  }

  test('with bootstrap only waits for the credential, also beside reMint', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(here.user.create(ControlPlane, controlPlane()));
    await here.during(here.user.create(CredentialRotation, rotationOf({ bootstrap: true, reMint: true })));
    await here.until(() => readyOf(here) === 'WaitingForBootstrap');
    await here.during(here.user.create(ApplicationCredential, credential()));
    await here.until(() => readyOf(here) === '+BootstrapComplete');
    assert.deepEqual([hashOn(here), reasons(here)], [passwordHash('hunter2'), []]);
  });

  test('does nothing where it cannot know which ControlPlane is meant', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    await here.during(here.user.create(ControlPlane, controlPlane('other')));
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === 'AmbiguousControlPlane');
    assert.equal(hashOn(here), passwordHash('hunter2'));
    await here.during(here.user.delete(ControlPlane, { namespace: 'openstack', name: 'other' }));
    await here.until(() => readyOf(here) === '+RotationTriggered');
  });

  test('refuses a target that only an older schema let in', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/target/enum';
    const { name } = crdOf(CredentialRotation).metadata;
    await here.during(here.user.patch(CustomResourceDefinition, { name }, 'json', [{ op: 'remove', path }]));
    const target = 'serviceAccount' as 'adminApplicationCredential';
    await here.during(here.user.create(CredentialRotation, rotationOf({ target, reMint: true })));
    await here.until(() => readyOf(here) === 'UnsupportedTarget');
    await here.advance(seconds(1));
    assert.equal(hashOn(here), passwordHash('hunter2'));
  });

  test('says so when the credential must not be changed', async () => {
    await using here = await rotationWorld({ observer });
    await here.during(createTarget(here.user));
    await here.during(denyAccess(here.user, operatorName, 'patch', ApplicationCredential));
    await here.during(here.user.create(CredentialRotation, rotationOf({ reMint: true })));
    await here.until(() => readyOf(here) === 'ApplyRejected');
    await here.advance(seconds(1));
    assert.equal(statusOf(here).lastTriggeredGeneration, undefined);
  });
}
