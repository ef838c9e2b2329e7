// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { adminPassword, dbCredentials } from '../objects/external-secrets.ts';
import { brownfield, controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { at, credentialId, nudge } from '../test/credential-steps.ts';
import { passwords } from '../test/neighbours.ts';
import { setReady } from '../test/set-ready.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  secret,
  type ControlPlaneOperator,
} from '../test/start-control-plane-operator.ts';

const store = { name: defaultSecretStore };
const storeNotReady =
  'SecretStoreNotReady: ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';

/** A rotation mints another credential, and the Keystone follows the ControlPlane. */
async function expectRenewal(operator: ControlPlaneOperator): Promise<void> {
  const before = await credentialId(operator);
  await nudge(operator);
  await expectFollowing(operator, before);
}

/** The Keystone follows the ControlPlane, and holds a credential that is not this one. */
async function expectFollowing(operator: ControlPlaneOperator, before?: string): Promise<void> {
  const { client, clock } = operator.cluster;
  const { credentials } = operator.keystone.state;
  await client.patch(ControlPlane, home, 'merge', { spec: { services: { keystone: { replicas: 4 } } } });
  await clock.advance(seconds(30));
  assert.equal((await client.get(Keystone, at('controlplane-keystone'))).spec.replicas, 4);
  const [after, ...others] = credentials.keys();
  assert.ok(after !== undefined && after !== before && others.length === 0, [...credentials.keys()].join(' '));
}

for (const { type, wanted, waiting, available } of [
  {
    type: 'DBCredentialsReady',
    wanted: dbCredentials(controlPlaneFixture(), defaultSecretStore),
    waiting: 'WaitingForDBCredentialSecret: DB credential ExternalSecret is not yet Ready',
    available: '+DBCredentialsReady: DB credential ExternalSecret is Ready',
  },
  {
    type: 'AdminPasswordReady',
    wanted: adminPassword(controlPlaneFixture(), defaultSecretStore),
    waiting: 'WaitingForAdminPasswordSecret: admin password ExternalSecret is not yet Ready',
    available: '+AdminPasswordReady: admin password ExternalSecret is Ready',
  },
]) {
  const place = { ...home, name: wanted.metadata.name };

  describe(`the ExternalSecret of ${type}`, () => {
    test('is written once the store is ready, and every change of either is observed without polling', async () => {
      await using operator = await startControlPlaneOperator({ wanted: [] });
      const { client, clock } = operator.cluster;
      const owner = await createControlPlane(operator);
      await clock.settle();
      assert.equal(await operator.condition(type), storeNotReady);
      assert.equal(await client.find(ExternalSecret, place), undefined);
      await setReady(client, ClusterSecretStore, store);
      await clock.settle();
      assert.equal(await operator.condition(type), waiting);
      assert.deepEqual((await client.get(ExternalSecret, place)).metadata.ownerReferences, [
        controllerReference(owner),
      ]);
      await setReady(client, ExternalSecret, place);
      await clock.settle();
      assert.equal(await operator.condition(type), available);
      await setReady(client, ExternalSecret, place, 'False');
      await clock.settle();
      assert.equal(await operator.condition(type), waiting);
      await setReady(client, ClusterSecretStore, store, 'False');
      await clock.settle();
      assert.equal(await operator.condition(type), storeNotReady);
    });

    test('that exists without an owner is adopted', async () => {
      await using operator = await startControlPlaneOperator({ wanted: [] });
      const { client, clock } = operator.cluster;
      const data = [{ secretKey: 'password', remoteRef: { key: 'elsewhere' } }];
      await client.create(ExternalSecret, { ...wanted, metadata: place, spec: { data } });
      const owner = await createControlPlane(operator);
      await setReady(client, ClusterSecretStore, store);
      await clock.settle();
      const { metadata, spec } = await client.get(ExternalSecret, place);
      assert.deepEqual(metadata.ownerReferences, [controllerReference(owner)]);
      assert.deepEqual(
        spec.data?.map(({ remoteRef }) => remoteRef.key),
        wanted.spec.data?.map((each) => each.remoteRef.key),
      );
    });

    test('of an earlier ControlPlane does not count, and is written anew when it is gone', async () => {
      await using operator = await startControlPlaneOperator({ wanted: [] });
      const { client, clock } = operator.cluster;
      const earlier = { ...controlPlaneFixture(), metadata: { ...home, uid: 'earlier' } };
      const ownerReferences = [controllerReference(earlier)];
      await operator.stop();
      const finalizers = ['example.com/hold'];
      await client.create(ExternalSecret, { ...wanted, metadata: { ...place, ownerReferences, finalizers } });
      await setReady(client, ExternalSecret, place);
      await setReady(client, ClusterSecretStore, store);
      await operator.start();
      const owner = await createControlPlane(operator);
      await clock.advance(minutes(1));
      assert.equal(await operator.condition(type), waiting);
      await client.patch(ExternalSecret, place, 'merge', { metadata: { finalizers: null } });
      await clock.until(async () => {
        const found = await client.find(ExternalSecret, place);
        return found?.metadata.ownerReferences?.[0]?.uid === owner.metadata.uid;
      });
    });

    test('is not asked for again when nothing changes, and restored when somebody changes it', async () => {
      await using operator = await startControlPlaneOperator();
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      await client.patch(ExternalSecret, place, 'merge', { spec: { data: [], dataFrom: [{ extract: { key: 'x' } }] } });
      await clock.settle();
      assert.deepEqual((await client.get(ExternalSecret, place)).spec.data, wanted.spec.data);
    });

    test('that External Secrets cannot sync stops nothing once a credential was minted', async () => {
      await using operator = await startControlPlaneOperator();
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      await operator.neighbours.externalSecrets.stop();
      await setReady(client, ClusterSecretStore, store, 'False');
      await clock.advance(seconds(1));
      assert.equal(await operator.condition(type), storeNotReady);
      assert.equal(await operator.condition('Ready'), 'NotAllReady: One or more sub-conditions are not ready');
      // One that works is not revoked meanwhile.
      operator.keystone.state.credentials.clear();
      await clock.advance(minutes(10));
      await expectFollowing(operator);
    });

    test('that is not ready stops nothing once a credential was minted', async () => {
      await using operator = await startControlPlaneOperator();
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      await operator.neighbours.externalSecrets.stop();
      await setReady(client, ExternalSecret, place, 'False');
      await clock.advance(seconds(1));
      assert.equal(await operator.condition(type), waiting);
      await expectRenewal(operator);
    });
  });
}

describe('the admin password', () => {
  const { korc } = controlPlaneFixture().spec;
  const underKey = { adminCredential: { ...korc.adminCredential, passwordSecretRef: { name: 'mine', key: 'admin' } } };

  for (const [what, change, name, key] of [
    ['of a managed control plane', {}, 'controlplane-keystone-admin-credentials', 'password'],
    ['of a control plane with a database of the user', { infrastructure: brownfield }, 'keystone-admin', 'password'],
    ['under a key of the user', { infrastructure: brownfield, korc: underKey }, 'mine', 'admin'],
  ] as const) {
    test(`${what} is observed under its effective name, without polling`, async () => {
      await using operator = await startControlPlaneOperator();
      const { client, clock } = operator.cluster;
      await createCredentials(operator);
      await client.create(Secret, secret('mine', { admin: passwords.admin }));
      await createControlPlane(operator, change);
      await operator.untilCondition('Ready', allReady);
      await operator.neighbours.externalSecrets.stop();
      operator.keystone.bootstrap({ password: 'changed' });
      const cloud = { ...home, name: 'controlplane-admin-password-cloud' };
      const before = (await client.get(Secret, cloud)).data;
      await client.patch(Secret, { ...home, name }, 'merge', { data: secret(name, { [key]: 'changed' }).data });
      await clock.advance(seconds(1));
      assert.notDeepEqual((await client.get(Secret, cloud)).data, before);
    });
  }
});
