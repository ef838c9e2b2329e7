// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { paths } from '../test/neighbours.ts';
import { setReady } from '../test/set-ready.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  type ControlPlaneOperator,
} from '../test/start-control-plane-operator.ts';

const child = { ...home, name: 'controlplane-keystone' };
const available = '+KeystoneReady: Projected Keystone CR is ready';
const waiting = 'WaitingForKeystone: Keystone "controlplane-keystone" is not ready';

const keystone = ({ cluster: { client } }: ControlPlaneOperator) => client.get(Keystone, child);

/** Changes the settings of Keystone in the ControlPlane. */
async function change(operator: ControlPlaneOperator, settings: object): Promise<void> {
  const { client, clock } = operator.cluster;
  await client.patch(ControlPlane, home, 'merge', { spec: { services: { keystone: settings } } });
  await clock.settle();
}

describe('the Keystone of a ControlPlane', () => {
  test('is not written before database, cache and credentials are there', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['mariadb', 'memcached', 'keystone'] });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await clock.advance(minutes(2));
    assert.match((await operator.condition('InfrastructureReady')) ?? '', /^\+/);
    assert.equal(await client.find(Keystone, child), undefined);
    await operator.neighbours.externalSecrets.start();
    await operator.untilCondition('KeystoneReady', available);
    const owner = await operator.controlPlane();
    assert.deepEqual((await keystone(operator)).metadata.ownerReferences?.[0], controllerReference(owner));
  });

  for (const [what, missing] of [
    ['database account', paths.database],
    ['admin password', paths.adminPassword],
  ] as const) {
    test(`is not written before the ${what} is there`, async () => {
      await using operator = await startControlPlaneOperator();
      const { client, clock } = operator.cluster;
      operator.vault.forbids = (request) => request === `GET ${missing.replace('kv-v2/', 'kv-v2/data/')}`;
      await createControlPlane(operator);
      await clock.advance(minutes(1));
      assert.match((await operator.condition('InfrastructureReady')) ?? '', /^\+/);
      assert.equal(await client.find(Keystone, child), undefined);
      operator.vault.forbids = () => false;
      await operator.untilCondition('KeystoneReady', available);
    });
  }

  test('that is taken from the ControlPlane by hand belongs to it again, without polling', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await client.patch(Keystone, child, 'merge', { metadata: { ownerReferences: null } });
    await clock.settle();
    const { ownerReferences } = (await keystone(operator)).metadata;
    assert.deepEqual(ownerReferences?.[0], controllerReference(await operator.controlPlane()));
  });

  test('keeps its last replicas and schedules when the ControlPlane no longer sets them, and loses the rest', async () => {
    await using operator = await startControlPlaneOperator();
    const settings = {
      replicas: 5,
      rotationInterval: '24h',
      gateway: { parentRef: { name: 'gw' }, hostname: 'keystone.example.com' },
      policyOverrides: { rules: { 'identity:list_users': 'role:admin' } },
    };
    await createControlPlane(operator, { services: { keystone: settings } });
    await operator.untilCondition('KeystoneReady', available);
    const before = (await keystone(operator)).spec;
    assert.deepEqual([before.replicas, before.fernet.rotationSchedule], [5, '0 0 * * *']);
    assert.equal(before.bootstrap.publicEndpoint, 'https://keystone.example.com/v3');
    await change(operator, { replicas: null, rotationInterval: null, gateway: null, policyOverrides: null });
    const { spec } = await keystone(operator);
    assert.deepEqual(
      [spec.replicas, spec.fernet.rotationSchedule, spec.credentialKeys.rotationSchedule],
      [5, '0 0 * * *', '0 0 * * *'],
    );
    assert.deepEqual([spec.gateway, spec.policyOverrides], [undefined, undefined]);
    assert.equal(spec.bootstrap.publicEndpoint, 'http://controlplane-keystone.openstack.svc:5000/v3');
    // Whoever scales it from now on is left alone.
    await operator.cluster.client.patch(Keystone, child, 'merge', { spec: { replicas: 7 } });
    await operator.cluster.clock.advance(minutes(1));
    await change(operator, { image: { repository: 'mirror/keystone', tag: '2025.2' } });
    assert.equal((await keystone(operator)).spec.replicas, 7);
    await change(operator, { replicas: 4 });
    assert.equal((await keystone(operator)).spec.replicas, 4);
  });

  test('gets back what somebody changes in it, and keeps what the ControlPlane does not set', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('KeystoneReady', available);
    const logging = { level: 'DEBUG' };
    await client.patch(Keystone, child, 'merge', { spec: { image: { tag: '2025.1' }, logging } });
    await clock.settle();
    const { spec } = await keystone(operator);
    assert.deepEqual([spec.image.tag, spec.logging.level], ['2025.2', 'DEBUG']);
  });

  test('that is not ready says why: its first condition that is not True', async () => {
    await using operator = await startControlPlaneOperator();
    const { client } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.keystone.stop();
    const { generation: observedGeneration = 0 } = (await keystone(operator)).metadata;
    const saying = (type: string, status: string, message: string) => ({
      type,
      status,
      reason: 'Played',
      message,
      observedGeneration,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const conditions = [
      saying('Ready', 'False', 'One or more sub-conditions are not ready'),
      saying('SecretsReady', 'True', ''),
      saying('DatabaseReady', 'False', `db_sync job failed: ${'x'.repeat(300)}`),
    ];
    await client.patch(Keystone, child, 'merge', { status: { conditions } }, { subresource: 'status' });
    const text = `${waiting}: DatabaseReady: db_sync job failed: `;
    const message = text.slice('WaitingForKeystone: '.length);
    await operator.untilCondition('KeystoneReady', `${text}${'x'.repeat(255 - message.length)}…`);
  });

  test('counts as ready for its current generation only', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.keystone.stop();
    await change(operator, { replicas: 4 });
    assert.equal(await operator.condition('KeystoneReady'), waiting);
    assert.deepEqual((await operator.controlPlane()).status?.services, [
      { name: 'keystone', ready: false, release: '2025.2' },
    ]);
    await setReady(client, Keystone, child);
    await clock.settle();
    assert.equal(await operator.condition('KeystoneReady'), available);
    const { services, updatePhase } = (await operator.controlPlane()).status ?? {};
    assert.deepEqual([services, updatePhase], [[{ name: 'keystone', ready: true, release: '2025.2' }], 'Idle']);
  });

  test('that refuses a release shows as not ready, until the ControlPlane names one that it accepts', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.keystone.stop();
    await client.patch(ControlPlane, home, 'merge', { spec: { openStackRelease: '2027.1' } });
    await clock.settle();
    assert.equal((await keystone(operator)).spec.image.tag, '2027.1');
    await setReady(client, Keystone, child, 'False');
    await clock.settle();
    assert.equal(await operator.condition('KeystoneReady'), waiting);
    assert.deepEqual((await operator.controlPlane()).status?.services, [
      { name: 'keystone', ready: false, release: '2027.1' },
    ]);
    await client.patch(ControlPlane, home, 'merge', { spec: { openStackRelease: '2025.2' } });
    await clock.settle();
    assert.equal((await keystone(operator)).spec.image.tag, '2025.2');
  });

  test('has a release that the status shows as soon as it is installed, ready or not, and as long', async () => {
    await using operator = await startControlPlaneOperator({
      wanted: ['mariadb', 'memcached', 'externalSecrets', 'korc'],
    });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('KeystoneReady', waiting);
    const installed = async () => (await operator.controlPlane()).status?.installedRelease;
    assert.equal(await installed(), undefined);
    for (const installedRelease of ['2025.2', '2026.1', null]) {
      const status = { status: { installedRelease } };
      await client.patch(Keystone, child, 'merge', status, { subresource: 'status' });
      await clock.settle();
      assert.equal(await installed(), installedRelease ?? undefined);
    }
  });

  test('that is not ready is awaited by the first credential, and not by a later one', async () => {
    await using operator = await startControlPlaneOperator({
      wanted: ['mariadb', 'memcached', 'externalSecrets', 'korc'],
    });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('KeystoneReady', waiting);
    await clock.advance(minutes(1));
    assert.equal(operator.keystone.state.credentials.size, 0);
    await setReady(client, Keystone, child);
    await operator.untilCondition('Ready', allReady);
    const [first] = operator.keystone.state.credentials.keys();
    await setReady(client, Keystone, child, 'False');
    await clock.settle();
    assert.equal(await operator.condition('KeystoneReady'), waiting);
    const korc = { adminCredential: { applicationCredential: { restricted: false } } };
    await client.patch(ControlPlane, home, 'merge', { spec: { korc } });
    await clock.until(() => {
      const [now, ...others] = operator.keystone.state.credentials.keys();
      return now !== undefined && now !== first && others.length === 0;
    });
    await operator.untilCondition(
      'CatalogReady',
      '+CatalogRegistered: Keystone identity Service and Endpoint are registered and Available',
    );
  });

  test('is not written while the database is not ready', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.mariadb.stop();
    await setReady(client, MariaDB, { ...home, name: 'openstack-db' }, 'False');
    await clock.settle();
    await change(operator, { replicas: 4 });
    assert.match((await operator.condition('KeystoneReady')) ?? '', /^WaitingForInfrastructure: /);
    assert.equal((await keystone(operator)).spec.replicas, 3);
  });

  test('that exists without an owner is adopted as it is: its data stays where it is', async () => {
    await using operator = await startControlPlaneOperator();
    const { client } = operator.cluster;
    const { infrastructure } = controlPlaneFixture().spec;
    const existing = await client.create(Keystone, {
      apiVersion: 'keystone.openstack.c5c3.io/v1alpha1',
      kind: 'Keystone',
      metadata: child,
      spec: {
        replicas: 2,
        image: { repository: 'c5c3/keystone', tag: '2025.1' },
        database: infrastructure.database,
        cache: infrastructure.cache,
        bootstrap: { adminPasswordSecretRef: { name: 'mine' } },
      },
    } as Keystone);
    await createControlPlane(operator);
    await operator.untilCondition('KeystoneReady', available);
    const { metadata, spec } = await keystone(operator);
    assert.equal(metadata.uid, existing.metadata.uid);
    assert.deepEqual(metadata.ownerReferences?.[0], controllerReference(await operator.controlPlane()));
    assert.deepEqual([spec.replicas, spec.image.tag], [2, '2025.2']);
  });

  test('that is being deleted is awaited, not written, and its successor created', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await client.patch(Keystone, child, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    const { uid } = (await keystone(operator)).metadata;
    await client.delete(Keystone, child);
    await change(operator, { replicas: 4 });
    assert.equal(await operator.condition('KeystoneReady'), waiting);
    assert.equal((await keystone(operator)).spec.replicas, 3);
    await client.patch(Keystone, child, 'merge', { metadata: { finalizers: null } });
    await operator.untilCondition('KeystoneReady', available);
    assert.notEqual((await keystone(operator)).metadata.uid, uid);
    await clock.advance(seconds(1));
  });
});
