// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { brownfield, home } from '../../test/control-plane-fixture.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  secret,
  type ControlPlaneOperator,
} from '../../test/start-control-plane-operator.ts';

const cloudsYaml = { ...home, name: 'k-orc-clouds-yaml' };
const passwordCloud = { ...home, name: 'controlplane-admin-password-cloud' };
const names: readonly (readonly [Kind, string])[] = [
  [Service, 'controlplane-identity-service'],
  [Endpoint, 'controlplane-identity-endpoint'],
  [User, 'controlplane-user-admin'],
  [Domain, 'controlplane-domain-default'],
];

const isGone = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.find(ControlPlane, home)) === undefined;

/** A domain that the user has K-ORC import with the same login. */
const usersDomain: Domain = {
  apiVersion: 'openstack.k-orc.cloud/v1alpha1',
  kind: 'Domain',
  metadata: { ...home, name: 'mine' },
  spec: {
    managementPolicy: 'unmanaged',
    cloudCredentialsRef: { secretName: cloudsYaml.name, cloudName: 'admin' },
    import: { filter: { name: 'Default' } },
  },
};

describe('the deletion of a ControlPlane', () => {
  test('has K-ORC log in by password for all that it deletes, and keep the catalog, before it deletes anything', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.korc.stop();
    operator.writes();
    await client.delete(ControlPlane, home);
    await clock.settle();
    for (const [kind, name] of names) {
      const { metadata, spec } = (await client.get(kind, { ...home, name })) as unknown as User;
      assert.ok(metadata.deletionTimestamp !== undefined);
      assert.equal(spec.cloudCredentialsRef.secretName, passwordCloud.name);
      if (kind === Service || kind === Endpoint) assert.deepEqual(spec.managedOptions, { onDelete: 'detach' });
    }
    const writes = operator.writes();
    const places = (method: string) =>
      writes.filter((write) => write.startsWith(method) && !/status|events/.test(write));
    assert.deepEqual(places('PATCH'), [
      'PATCH services/controlplane-identity-service',
      'PATCH endpoints/controlplane-identity-endpoint',
    ]);
    assert.equal(places('DELETE').length, 5);
    assert.ok(
      writes.lastIndexOf('PATCH endpoints/controlplane-identity-endpoint') <
        writes.findIndex((each) => each.startsWith('DELETE')),
    );
  });

  test('brings the login by password up to date first', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await client.patch(Secret, passwordCloud, 'merge', { data: secret('', { 'clouds.yaml': 'spoiled' }).data });
    await client.delete(ControlPlane, home);
    await clock.until(() => isGone(operator), seconds(30));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('redirects nothing when the login by password is being deleted, as with its namespace', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.korc.stop();
    await operator.stop();
    await client.delete(Secret, passwordCloud);
    await client.delete(ControlPlane, home);
    await operator.start();
    operator.writes();
    await clock.settle();
    assert.deepEqual(
      operator.writes().filter((write) => write.startsWith('PATCH') && !/status|events/.test(write)),
      [],
    );
    await clock.advance(minutes(6));
    assert.equal(await isGone(operator), true);
    assert.equal(await client.find(Secret, passwordCloud), undefined);
  });

  test('goes on when the API server refuses to redirect the logins', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.deny('patch', Service);
    await client.delete(ControlPlane, home);
    await clock.until(async () => (await client.list(ApplicationCredential)).items.length === 0, minutes(1));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('leaves objects of the names alone that are not its own', async () => {
    await using operator = await startControlPlaneOperator({ wanted: [] });
    const { client, clock } = operator.cluster;
    const theirs = { ...usersDomain, metadata: { ...home, name: 'controlplane-domain-default' } };
    await client.create(Domain, theirs);
    await createControlPlane(operator);
    await clock.settle();
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(30));
    assert.equal(await isGone(operator), true);
    const { metadata, spec } = await client.get(Domain, theirs.metadata);
    assert.equal(metadata.deletionTimestamp, undefined);
    assert.equal(spec.cloudCredentialsRef.secretName, cloudsYaml.name);
  });

  for (const [what, breakDown] of [
    ['Keystone is down', async ({ keystone }) => void (keystone.health = 'down')],
    ['K-ORC is gone', ({ neighbours }) => neighbours.korc.stop()],
  ] satisfies [string, (operator: ControlPlaneOperator) => Promise<void>][]) {
    test(`by force, since ${what}, releases the clouds.yaml as far as nobody else logs in with it`, async () => {
      await using operator = await startControlPlaneOperator();
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      await client.create(Domain, usersDomain);
      await clock.advance(minutes(1));
      const guards = (await client.get(Secret, cloudsYaml)).metadata.finalizers ?? [];
      assert.ok(guards.includes('openstack.k-orc.cloud/domain') && guards.includes('openstack.k-orc.cloud/service'));
      await breakDown(operator);
      await client.delete(ControlPlane, home);
      await clock.advance(minutes(6));
      assert.equal(await isGone(operator), true);
      assert.deepEqual((await client.get(Secret, cloudsYaml)).metadata.finalizers, ['openstack.k-orc.cloud/domain']);
      await clock.advance(minutes(1));
      assert.equal(await client.find(Secret, passwordCloud), undefined);
    });
  }

  test('by force releases the application credential, too, while another object is held by others', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    const endpoint = { ...home, name: 'controlplane-identity-endpoint' };
    const { metadata } = await client.get(Endpoint, endpoint);
    const finalizers = [...(metadata.finalizers ?? []), 'example.com/hold'];
    await client.patch(Endpoint, endpoint, 'merge', { metadata: { finalizers } });
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(6));
    assert.equal(await isGone(operator), true);
    assert.deepEqual((await client.get(Endpoint, endpoint)).metadata.finalizers, ['example.com/hold']);
    assert.deepEqual((await client.list(ApplicationCredential)).items, []);
  });

  test('asks the server before it ends: an object may have been created just before', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    operator.reads();
    await client.delete(ControlPlane, home);
    await clock.until(() => isGone(operator), seconds(30));
    const credential = 'GET applicationcredentials/controlplane-admin-app-credential';
    assert.equal(operator.reads().filter((request) => request === credential).length, 1);
  });

  test('waits for Keystone also when K-ORC took the credential for revoked, and revokes it then', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.korc.stop();
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home);
    await clock.settle();
    // As K-ORC does with a valid token but without Keystone: the object is gone, and the credential not revoked.
    for (const kind of [ApplicationCredential, ...names.map(([each]) => each)]) {
      for (const { metadata } of (await client.list(kind, { namespace: home.namespace })).items) {
        await client.patch(kind, { ...home, name: metadata.name }, 'merge', { metadata: { finalizers: null } });
      }
    }
    await client.delete(ApplicationCredential, { ...home, name: 'controlplane-admin-app-credential' });
    await clock.advance(minutes(1));
    assert.equal(
      await operator.condition('KORCReady'),
      'FinalizingORC: waiting for 0 K-ORC CR(s) to be revoked and deleted before releasing the ControlPlane',
    );
    assert.equal(operator.keystone.state.credentials.size, 1);
    operator.keystone.health = 'up';
    await clock.until(() => isGone(operator), seconds(30));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('does not wait for Keystone when nobody can log in to it any more', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    await createControlPlane(operator, { infrastructure: brownfield });
    await operator.untilCondition('Ready', allReady);
    await operator.stop();
    await client.delete(Secret, { ...home, name: 'keystone-admin' });
    await client.delete(ApplicationCredential, { ...home, name: 'controlplane-admin-app-credential' });
    await client.delete(ControlPlane, home);
    await operator.start();
    await clock.until(() => isGone(operator), seconds(60));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('leaves a database of the user with the catalog, and a successor takes over both', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    await createControlPlane(operator, { infrastructure: brownfield });
    await operator.untilCondition('Ready', allReady);
    const { services, endpoints } = operator.keystone.state.resources;
    const catalog = [...services.keys(), ...endpoints.keys()];
    await client.delete(ControlPlane, home);
    await clock.until(() => isGone(operator), seconds(30));
    await clock.advance(minutes(1));
    assert.deepEqual([...services.keys(), ...endpoints.keys()], catalog);
    await createControlPlane(operator, { infrastructure: brownfield });
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual([...services.keys(), ...endpoints.keys()], catalog);
    assert.equal(operator.keystone.state.credentials.size, 1);
  });

  test('of a parked duplicate needs nothing, and disturbs nothing', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    const { spec } = await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    const second = { ...home, name: 'second' };
    await client.create(ControlPlane, { apiVersion: 'c5c3.io/v1alpha1', kind: 'ControlPlane', metadata: second, spec });
    await clock.settle();
    assert.equal((await client.get(ControlPlane, second)).metadata.finalizers, undefined);
    await client.delete(ControlPlane, second);
    await clock.settle();
    assert.equal(await client.find(ControlPlane, second), undefined);
    assert.equal(await operator.condition('Ready'), allReady);
    assert.equal(operator.keystone.state.credentials.size, 1);
  });
});
