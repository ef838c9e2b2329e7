// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInProcess } from '@forge/testing/run-in-process.ts';
import { Keystone } from './api/keystone.ts';
import { keystoneOperator } from './operator.ts';
import { keystoneFixture, managedDatabase } from './test/keystone-fixture.ts';
import { home } from './test/start-keystone-operator.ts';

describe('the operator process', () => {
  test('asks for the ClusterSecretStore that its flag names', async () => {
    const { namespace } = home;
    await using running = await runInProcess(keystoneOperator, {
      args: ['--cluster-secret-store=vault'],
      namespace,
    });
    const { client, clock } = running;
    await client.create(Keystone, keystoneFixture({ database: managedDatabase }));
    await clock.until(async () => {
      const { status } = await client.get(Keystone, home);
      return status?.conditions?.some(({ message }) => message.startsWith('ClusterSecretStore "vault" is not ready'));
    });
    const { managedFields = [] } = (await client.get(Keystone, home)).metadata;
    assert.ok(
      managedFields.some(({ manager, subresource }) => manager === 'keystone-operator' && subresource === 'status'),
    );
    assert.equal(await running.stop(), 0);
  });
});
