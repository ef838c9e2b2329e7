// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { milliseconds, minutes, now, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { home } from '../test/control-plane-fixture.ts';
import { at, passwordCloudName, readyControlPlane } from '../test/credential-steps.ts';
import { allReady, createControlPlane, type ControlPlaneOperator } from '../test/start-control-plane-operator.ts';

const uids = async ({ cluster: { client } }: ControlPlaneOperator) => [
  (await client.find(Keystone, at('controlplane-keystone')))?.metadata.uid,
  (await client.find(MariaDB, at('openstack-db')))?.metadata.uid,
  (await client.find(Memcached, at('openstack-memcached')))?.metadata.uid,
];

const retained = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.list(Event)).items
    .filter(({ reason }) => reason === 'DependentsRetained')
    .map(({ message = '' }) => message.replace(/:.*/, ''))
    .toSorted();

/** Deletes the ControlPlane while the operator is away, and removes its finalizers by hand. */
async function removeFinalizers(
  { cluster: { client, clock }, ...operator }: ControlPlaneOperator,
  propagation: 'Background' | 'Foreground',
): Promise<void> {
  await client.delete(ControlPlane, home, { propagation });
  await clock.settle();
  await operator.stop();
  await client.patch(ControlPlane, home, 'merge', { metadata: { finalizers: null } });
  await clock.advance(minutes(1));
  assert.equal(await client.find(ControlPlane, home), undefined);
}

describe('what a ControlPlane left behind whose finalizer somebody removed', () => {
  for (const propagation of ['Background', 'Foreground'] as const) {
    test(`stays, and is used by a successor of the name: ${propagation}`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      const before = await uids(operator);
      operator.keystone.health = 'down';
      await removeFinalizers(operator, propagation);
      operator.keystone.health = 'up';
      assert.deepEqual(await uids(operator), before);
      await operator.start();
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(await uids(operator), before);
      assert.deepEqual(await retained(operator), [
        'Kept Keystone controlplane-keystone',
        'Kept MariaDB openstack-db',
        'Kept Memcached openstack-memcached',
      ]);
      // Nothing hangs on the login any more but Keystone, which has an owner again.
      await client.delete(Secret, passwordCloudName);
      await clock.advance(minutes(2));
      assert.deepEqual(await uids(operator), before);
      assert.equal(await operator.condition('Ready'), allReady);
    });
  }

  test('goes with its login when somebody deletes that', async () => {
    await using operator = await readyControlPlane();
    const { client } = operator.cluster;
    const before = await uids(operator);
    operator.keystone.health = 'down';
    await removeFinalizers(operator, 'Background');
    operator.keystone.health = 'up';
    await client.delete(Secret, passwordCloudName);
    await operator.start();
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(await retained(operator), []);
    assert.ok((await uids(operator)).every((uid) => !before.includes(uid)));
  });

  test('does not make a later deletion that orphans one in the foreground', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const before = await uids(operator);
    operator.keystone.health = 'down';
    await removeFinalizers(operator, 'Foreground');
    operator.keystone.health = 'up';
    await operator.start();
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.stop();
    await client.delete(ControlPlane, home, { propagation: 'Orphan' });
    await clock.settle();
    await operator.start();
    await clock.until(async () => (await client.find(ControlPlane, home)) === undefined, seconds(30));
    await clock.advance(minutes(1));
    assert.deepEqual(await uids(operator), before);
  });
});

test('a deletion in the foreground takes all along although the operator learns of it after the garbage collector has begun', async () => {
  await using operator = await readyControlPlane({
    lag: (path) => (path.includes('/controlplanes') ? milliseconds(500) : now),
  });
  const { client, clock } = operator.cluster;
  operator.keystone.latency = seconds(1);
  await client.delete(ControlPlane, home, { propagation: 'Foreground' });
  await clock.until(async () => (await client.find(ControlPlane, home)) === undefined, seconds(30));
  await clock.advance(minutes(1));
  assert.deepEqual(await uids(operator), [undefined, undefined, undefined]);
  assert.deepEqual(await retained(operator), []);
});
