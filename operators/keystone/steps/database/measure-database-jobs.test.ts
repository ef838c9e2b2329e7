// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Job } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { Keystone } from '../../api/keystone.ts';
import { createInstalled, jobOf, setTag, untilStart } from '../../test/releases.ts';
import { allReady, createKeystone, home, startKeystoneOperator } from '../../test/start-keystone-operator.ts';

describe('the measurements of Jobs on the database', () => {
  const of = 'keystone="identity",namespace="openstack"';

  test('count each Job once, and go with the Keystone', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(undefined, { metrics });
    await createInstalled(operator);
    await operator.cluster.clock.advance(minutes(11));
    const total = `keystone_operator_db_sync_total{${of},result="succeeded"} 2`;
    assert.ok((await metrics.text()).includes(total));
    assert.ok((await metrics.text()).includes(`keystone_operator_db_sync_duration_seconds_count{${of}} 2`));
    await operator.cluster.client.delete(Keystone, home);
    await operator.cluster.clock.advance(minutes(1));
    assert.doesNotMatch(await metrics.text(), /db_sync_total\{/);
  });

  test('count no Job of somebody else', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(undefined, { metrics });
    const { client, clock } = operator.cluster;
    const spec = {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'backup', image: 'backup:1' }] } },
    };
    const metadata = { ...home, name: `${home.name}-db-expand` };
    await client.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec });
    await clock.until(async () => (await client.get(Job, metadata)).status?.succeeded === 1);
    await createInstalled(operator);
    assert.ok((await metrics.text()).includes(`keystone_operator_db_sync_total{${of},result="succeeded"} 2`));
    const { annotations = {} } = (await operator.keystone()).metadata;
    assert.equal(annotations['forge.c5c3.io/last-db-expand-job-uid'], undefined);
  });

  test('count a Job that failed, with the time that it took', async () => {
    const metrics = prometheusMetrics();
    let broken = true;
    await using operator = await startKeystoneOperator(
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
    await using operator = await startKeystoneOperator(
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

  test('catch up on a Job whose upgrade phase is over, once the Keystone can remember it', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(
      (component) => (/^db-(expand|migrate)$/.test(component) ? { exit: { code: 0, after: seconds(20) } } : {}),
      { metrics },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'ExpandInProgress: Expand phase running');
    const allow = await operator.deny('patch', Keystone);
    await untilStart(operator, 'DatabaseReady', 'MigrateInProgress');
    await allow();
    await operator.untilCondition('Ready', allReady);
    const { annotations = {} } = (await operator.keystone()).metadata;
    const expand = await jobOf(operator, 'db-expand');
    assert.equal(annotations['forge.c5c3.io/last-db-expand-job-uid'], expand?.metadata.uid);
    assert.ok((await metrics.text()).includes(`keystone_operator_db_sync_total{${of},result="succeeded"} 7`));
  });

  test('are not lost with Jobs that an abort deletes', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(
      (component) => (component === 'db-migrate' ? { exit: { code: 0, after: seconds(20) } } : {}),
      { metrics },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'MigrateInProgress: Migrate phase running');
    const allow = await operator.deny('patch', Keystone);
    await setTag(operator, '2025.2');
    await operator.cluster.clock.until(async () => (await operator.events()).includes('DBSyncMetricEmissionDeferred'));
    await allow();
    await operator.untilCondition('Ready', allReady);
    assert.ok((await metrics.text()).includes(`keystone_operator_db_sync_total{${of},result="succeeded"} 4`));
  });

  test('do not keep an abort from its end', async () => {
    await using operator = await startKeystoneOperator((component) =>
      component === 'db-migrate' ? { exit: { code: 0, after: seconds(20) } } : {},
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'MigrateInProgress: Migrate phase running');
    await operator.deny('patch', Keystone);
    await setTag(operator, '2025.2');
    await operator.untilCondition('Ready', allReady);
  });
});
