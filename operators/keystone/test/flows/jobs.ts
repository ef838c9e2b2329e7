// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { Keystone } from '../../keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { createKeystone, keystoneOperator, secret } from '../keystone-operator.ts';

/** Jobs that fail. */
export function jobFlows(observer: ContractObserver): void {
  for (const [component, condition] of [
    ['db-sync', 'DatabaseReady'],
    ['schema-check', 'DatabaseReady'],
    ['bootstrap', 'BootstrapReady'],
  ] as const) {
    test(`covers a ${component} Job that fails`, async () => {
      await using operator = await keystoneOperator(
        (running) => (running === component ? { exit: { code: 1, after: seconds(1) } } : {}),
        { observer },
      );
      await createKeystone(operator);
      await operator.cluster.clock.until(async () => /job failed/.test((await operator.condition(condition)) ?? ''));
    });
  }

  for (const [component, condition] of [
    ['db-sync', 'DatabaseReady'],
    ['bootstrap', 'BootstrapReady'],
    ['api', 'DeploymentReady'],
  ] as const) {
    test(`what ${component} pods say of a credential shows in no condition`, async () => {
      const url = 'mysql+pymysql://keystone:db-secret@db.example:3306/keystone?charset=utf8';
      const message = `${component === 'bootstrap' ? 'admin-secret ' : ''}db-secret of ${url} is wrong`;
      await using operator = await keystoneOperator(
        (running) => (running === component ? { exit: { code: 1, message, after: seconds(1) } } : {}),
        { observer },
      );
      await createKeystone(operator);
      let text: string | undefined;
      await operator.cluster.clock.until(async () =>
        (text = await operator.condition(condition))?.endsWith(' is wrong'),
      );
      assert.doesNotMatch(text ?? '', /-secret/);
      assert.match(text ?? '', /: (\[redacted\] )+of \[redacted\] is wrong$/);
    });
  }

  test('what Jobs say of their parameters shows in no condition, however the password is written', async () => {
    const message = 'user=keystone&password=p%40ss%2Fword, p%40ss%2Fword and p@ss/word are wrong';
    await using operator = await keystoneOperator(
      (component) => (component === 'db-sync' ? { exit: { code: 1, message, after: seconds(1) } } : {}),
      { observer },
    );
    const { client } = operator.cluster;
    await client.create(Secret, secret('keystone-db', { username: 'keystone', password: 'p@ss/word' }));
    await client.create(Secret, secret('keystone-admin', { password: 'admin-secret' }));
    await client.create(Keystone, keystoneFixture());
    let text: string | undefined;
    await operator.cluster.clock.until(async () =>
      (text = await operator.condition('DatabaseReady'))?.endsWith('are wrong'),
    );
    assert.match(text ?? '', /: \[redacted\], \[redacted\] and \[redacted\] are wrong$/);
  });
}
