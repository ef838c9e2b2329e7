// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Keystone } from '../api/keystone.ts';
import { createInstalled, setTag, tagOf, untilStart } from './releases.ts';
import { home, startKeystoneOperator } from './start-keystone-operator.ts';

test('while a release is refused, policies are checked and bootstrap runs with the release that serves', async () => {
  const started = new Set<string>();
  await using operator = await startKeystoneOperator((component, { spec }) => {
    started.add(`${component} ${tagOf(spec)}`);
    return {};
  });
  await createInstalled(operator);
  await setTag(operator, '2026.2');
  await untilStart(operator, 'DatabaseReady', 'UpgradePathInvalid');
  const { client, clock } = operator.cluster;
  const { completedBootstrap } = (await operator.keystone()).status ?? {};
  started.clear();

  const policyOverrides = { rules: { 'identity:list_users': 'role:reader' } };
  await client.patch(Keystone, home, 'merge', { spec: { policyOverrides } });
  const data = { password: Buffer.from('new').toString('base64') };
  await client.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { data });
  await clock.until(async () => (await operator.keystone()).status?.completedBootstrap !== completedBootstrap);
  assert.deepEqual(started, new Set(['validator 2025.2', 'api 2025.2', 'bootstrap 2025.2']));
});
