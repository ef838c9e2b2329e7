// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { at, nudge, readyControlPlane, storePassword } from '../test/credential-steps.ts';
import { allReady, type ControlPlaneOperator } from '../test/start-control-plane-operator.ts';

const logins = ({ keystone: { requests } }: ControlPlaneOperator) =>
  requests.filter((request) => request === 'POST /v3/auth/tokens').length;

/** How many logins there are in an hour. */
async function hourOf(operator: ControlPlaneOperator): Promise<number> {
  const before = logins(operator);
  await operator.cluster.clock.advance(minutes(60));
  return logins(operator) - before;
}

/** The keystone operator is done with another bootstrap. */
async function completeBootstrap({ cluster: { client } }: ControlPlaneOperator, key: string): Promise<void> {
  const child = at('controlplane-keystone');
  const { status } = await client.get(Keystone, child);
  for (const ready of ['False', 'True'] as const) {
    const conditions = status?.conditions?.map((each) => ({ ...each, status: ready }));
    const change = { status: { completedBootstrap: key, conditions } };
    await client.patch(Keystone, child, 'merge', change, { subresource: 'status' });
  }
}

describe('a password that Keystone refuses', () => {
  test('is tried less and less often, so that Keystone does not lock the account; at once after a bootstrap', async () => {
    await using operator = await readyControlPlane();
    await storePassword(operator, 'another');
    const count = await hourOf(operator);
    assert.ok(count <= 16, `${count} logins`);
    operator.keystone.bootstrap({ password: 'another' });
    await completeBootstrap(operator, 'second');
    await operator.cluster.clock.until(async () => (await operator.condition('Ready')) === allReady, seconds(45));
  });

  test('is not tried by what waits for it, either', async () => {
    await using operator = await readyControlPlane();
    operator.keystone.bootstrap({ password: 'changed by hand' });
    await nudge(operator);
    const count = await hourOf(operator);
    assert.ok(count <= 20, `${count} logins`);
    assert.match((await operator.condition('KORCReady')) ?? '', /Keystone refuses the admin password$/);
  });
});
