// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { jobOf, untilStart } from '../releases.ts';
import { allReady, createKeystone, startKeystoneOperator, secret } from '../start-keystone-operator.ts';

/** Jobs that fail. */
export function jobFlows(observer: CatalogObserver): void {
  for (const [component, step] of [
    ['db-sync', 'Database'],
    ['schema-check', 'Database'],
    ['bootstrap', 'Bootstrap'],
  ] as const) {
    test(`covers a ${component} Job that fails, an error of ${step} and nobody else`, async () => {
      const condition = `${step}Ready`;
      const metrics = prometheusMetrics();
      await using operator = await startKeystoneOperator(
        (running) => (running === component ? { exit: { code: 1, after: seconds(1) } } : {}),
        { observer, metrics },
      );
      await createKeystone(operator);
      await operator.cluster.clock.until(async () => /job failed/.test((await operator.condition(condition)) ?? ''));
      assert.deepEqual(countedErrors(await metrics.text()), [`${step} ${condition}`]);
    });
  }

  for (const [component, condition, failure] of [
    ['db-sync', 'DatabaseReady', 'DBSyncFailed'],
    ['schema-check', 'DatabaseReady', 'SchemaDriftDetected'],
    ['bootstrap', 'BootstrapReady', 'BootstrapFailed'],
  ] as const) {
    test(`a ${component} Job that failed is said to have failed, and why, also while it is tried again`, async () => {
      const script = { fails: true };
      const said = new Set<string>();
      await using operator = await startKeystoneOperator(
        (running) => {
          if (running !== component) return {};
          const exit = { after: seconds(5), ...(script.fails ? { code: 1, message: 'no such host' } : { code: 0 }) };
          return { exit };
        },
        {
          observer: {
            ...observer,
            condition: (each) => {
              if (each.type === condition) said.add(`${each.reason}: ${each.message}`);
              observer.condition(each);
            },
          },
        },
      );
      await createKeystone(operator);
      await untilStart(operator, condition, failure);
      const first = (await jobOf(operator, component))?.metadata.uid;
      said.clear();
      await operator.cluster.clock.until(async () => {
        const uid = (await jobOf(operator, component))?.metadata.uid;
        return uid !== undefined && uid !== first;
      });
      await operator.cluster.clock.advance(minutes(8));
      assert.equal(said.size, 1);
      assert.match([...said][0] ?? '', new RegExp(`^${failure}: .*: Error: no such host$`));
      script.fails = false;
      await operator.untilCondition('Ready', allReady);
      const { failedBootstrap, failedDatabaseJob } = (await operator.keystone()).status ?? {};
      assert.deepEqual([failedBootstrap, failedDatabaseJob], [undefined, undefined]);
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
      await using operator = await startKeystoneOperator(
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
    await using operator = await startKeystoneOperator(
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
