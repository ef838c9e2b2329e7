// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prometheusMetrics } from '@forge/runtime/metrics/prometheus-metrics.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { Keystone } from '../../keystone.ts';
import { allReady, createKeystone, home, keystoneOperator } from '../../test/keystone-operator.ts';
import { createInstalled, untilStart } from '../../test/releases.ts';

describe('the measurements of Jobs on the database', () => {
  const of = 'keystone="identity",namespace="openstack"';

  test('count each Job once, and go with the Keystone', async () => {
    const metrics = prometheusMetrics();
    await using operator = await keystoneOperator(undefined, { metrics });
    await createInstalled(operator);
    await operator.cluster.clock.advance(minutes(11));
    const total = `keystone_operator_db_sync_total{${of},result="succeeded"} 2`;
    assert.ok((await metrics.text()).includes(total));
    assert.ok((await metrics.text()).includes(`keystone_operator_db_sync_duration_seconds_count{${of}} 2`));
    await operator.cluster.client.delete(Keystone, home);
    await operator.cluster.clock.advance(minutes(1));
    assert.doesNotMatch(await metrics.text(), /db_sync_total\{/);
  });

  test('count a Job that failed, with the time that it took', async () => {
    const metrics = prometheusMetrics();
    let broken = true;
    await using operator = await keystoneOperator(
      (component) => (component === 'schema-check' && broken ? { exit: { code: 2, after: seconds(3) } } : {}),
      { metrics },
    );
    await createKeystone(operator);
    await untilStart(operator, 'DatabaseReady', 'SchemaDriftDetected');
    broken = false;
    await operator.untilCondition('Ready', allReady);
    const text = await metrics.text();
    assert.ok(text.includes(`keystone_operator_db_sync_total{${of},result="failed"} 1`));
    assert.ok(text.includes(`keystone_operator_db_sync_duration_seconds_count{${of}} 3`));
    assert.ok(text.includes(`keystone_operator_db_sync_duration_seconds_bucket{le="1",${of}} 2`));
  });

  test('wait until the Keystone remembers the Job', async () => {
    const metrics = prometheusMetrics();
    await using operator = await keystoneOperator(
      (component) => (component === 'db-sync' ? { exit: { code: 0, after: seconds(20) } } : {}),
      { metrics },
    );
    await createKeystone(operator);
    await untilStart(operator, 'DatabaseReady', 'DBSyncInProgress');
    await operator.deny('patch', Keystone);
    await operator.untilCondition('Ready', allReady);
    assert.ok((await operator.events()).includes('DBSyncMetricEmissionDeferred'));
    assert.doesNotMatch(await metrics.text(), /db_sync_total\{/);
  });
});
