// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Keystone } from '../../api/keystone.ts';
import { createInstalled, untilStart } from '../../test/releases.ts';
import { home, startKeystoneOperator } from '../../test/start-keystone-operator.ts';

test('a database that an earlier version of the operator filled is remembered although its credential keys are gone', async () => {
  await using operator = await startKeystoneOperator();
  await createInstalled(operator);
  const { client, clock } = operator.cluster;
  const { syncedDatabase } = (await operator.keystone()).status ?? {};
  await client.delete(Secret, { ...home, name: 'identity-credential-keys' });
  await untilStart(operator, 'CredentialKeysReady', 'KeysMissing');
  await client.patch(Keystone, home, 'merge', { status: { syncedDatabase: null } }, { subresource: 'status' });
  await clock.until(async () => (await operator.keystone()).status?.syncedDatabase === syncedDatabase);
  assert.match((await operator.condition('DatabaseReady')) ?? '', /^[+]DatabaseSynced/);
});
