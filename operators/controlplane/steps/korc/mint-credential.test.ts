// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { home } from '../../test/control-plane-fixture.ts';
import {
  credentialName,
  nudge,
  passwordCloudName,
  readyControlPlane as running,
  awaitingRevoke,
  held,
  credential,
  credentialId,
  untilAnother,
} from '../../test/credential-steps.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  type ControlPlaneOperator,
} from '../../test/start-control-plane-operator.ts';

/** Puts a credential of this name into Keystone, as one that nobody revoked. */
function leave({ keystone: { state } }: ControlPlaneOperator, name: string): void {
  const [userId = ''] = state.admins;
  const id = state.newId();
  state.credentials.set(id, { userId, secret: 'lost', shown: { id, name } });
}

describe('the admin application credential', () => {
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
    await using operator = await startControlPlaneOperator();
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
    await using operator = await startControlPlaneOperator();
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
    await using operator = await startControlPlaneOperator();
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

  test('that is in Keystone already is kept when only its object is missing: it has the secret that is there', async () => {
    await using operator = await running();
    const { client } = operator.cluster;
    const id = await credentialId(operator);
    await operator.neighbours.korc.stop();
    // As a cache shows it that is behind.
    await client.patch(ApplicationCredential, credentialName, 'merge', { metadata: { finalizers: null } });
    await client.delete(ApplicationCredential, credentialName);
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual([...operator.keystone.state.credentials.keys()], [id]);
    assert.equal(await credentialId(operator), id);
  });

  test('is not minted while a leftover cannot be revoked: there are never two', async () => {
    await using operator = await startControlPlaneOperator();
    leave(operator, 'openstack.controlplane.0123456789ab');
    operator.keystone.refuses = (request) => (request.startsWith('DELETE') ? 403 : undefined);
    await createControlPlane(operator);
    await operator.cluster.clock.advance(minutes(2));
    assert.deepEqual(held(operator), ['openstack.controlplane.0123456789ab']);
    operator.keystone.refuses = () => undefined;
    await operator.untilCondition('Ready', allReady);
    assert.equal(held(operator).length, 1);
  });

  test('that K-ORC gave up on is created again while Keystone answers, at most every five minutes', async () => {
    await using operator = await startControlPlaneOperator();
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
