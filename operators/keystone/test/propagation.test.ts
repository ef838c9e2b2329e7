// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deployment, Event, Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from './keystone-fixture.ts';
import { createDatabaseObjects, managedFixture } from './managed-keystone.ts';
import { allReady, createKeystone, home, startKeystoneOperator } from './start-keystone-operator.ts';

const propagations = ['Background', 'Foreground', 'Orphan'] as const;

describe('a Keystone that is deleted', () => {
  for (const propagation of propagations) {
    test(`is gone within 30 s, and its keys stay with the user's database: ${propagation}`, async () => {
      await using operator = await startKeystoneOperator();
      const { client, clock } = operator.cluster;
      await createKeystone(operator);
      await operator.untilCondition('Ready', allReady);
      const credentialKeys = { ...home, name: 'identity-credential-keys' };
      const keys = await client.get(Secret, credentialKeys);
      await client.delete(Keystone, home, { propagation });
      await clock.until(async () => (await client.find(Keystone, home)) === undefined, seconds(30));
      await clock.advance(seconds(60));
      assert.deepEqual((await client.get(Secret, credentialKeys)).data, keys.data);
      const isRunning = (await client.find(Deployment, home)) !== undefined;
      assert.equal(isRunning, propagation === 'Orphan');
      if (isRunning) return;
      await client.create(Keystone, keystoneFixture());
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual((await client.get(Secret, credentialKeys)).data, keys.data);
    });

    test(`with a managed database drops it, unless it orphans: ${propagation}`, async () => {
      await using operator = await startKeystoneOperator(undefined, { kinds: [Database, User, Grant] });
      const { client, clock } = operator.cluster;
      await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
      await clock.settle();
      await client.delete(Keystone, home, { propagation });
      await clock.advance(seconds(30));
      const { finalizers = [] } = (await client.find(Keystone, home))?.metadata ?? {};
      assert.deepEqual(
        finalizers.filter((each) => each.startsWith('keystone.')),
        [],
      );
      const { deletionTimestamp } = (await client.find(Database, home))?.metadata ?? {};
      assert.equal(deletionTimestamp === undefined, propagation === 'Orphan');
      const { items } = await client.list(Event, { namespace: home.namespace });
      const isAnnounced = items.some(({ reason }) => reason === 'FinalizingDatabase');
      assert.equal(isAnnounced, propagation !== 'Orphan');
    });
  }

  test('with its namespace is gone within 30 s', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await client.delete(Namespace, { name: home.namespace });
    await clock.until(async () => (await client.find(Keystone, home)) === undefined, seconds(30));
  });
});
