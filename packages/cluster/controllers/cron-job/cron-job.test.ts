// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CronJobSpec } from '@forge/kube/generated/types.ts';
import { CronJob, Job } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { work } from '../test/manifests.ts';

const metadata = { name: 'tick', namespace: 'default' };

function cronJob(spec: Partial<CronJobSpec> = {}): CronJob {
  const jobTemplate = { spec: work().spec ?? { template: {} } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec: { schedule: '*/5 * * * *', jobTemplate, ...spec } };
}

describe('a CronJob on a cluster', () => {
  test('runs on time, keeps three Jobs, and sends no requests in between', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 0, after: seconds(20) } }) });
    const { client, clock, controllers } = cluster;
    await client.create(CronJob, cronJob());
    await clock.advance(minutes(31));
    const { items } = await client.list(Job);
    assert.deepEqual(
      items.map(({ metadata: { annotations } }) => Object.values(annotations ?? {})[0]),
      ['2026-01-01T00:20:00Z', '2026-01-01T00:25:00Z', '2026-01-01T00:30:00Z'],
    );
    const { status } = await client.get(CronJob, metadata);
    assert.deepEqual(status, { lastScheduleTime: '2026-01-01T00:30:00Z', lastSuccessfulTime: '2026-01-01T00:30:20Z' });
    const before = controllers.requests.length;
    await clock.advance(minutes(3));
    assert.deepEqual(controllers.requests.slice(before), []);
  });

  test('finds a Job that was created but not recorded in its status', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 0, after: minutes(60) } }) });
    const { client, clock } = cluster;
    const created = await client.create(CronJob, cronJob({ suspend: true }));
    await clock.advance(minutes(6));
    const { apiVersion, kind } = created;
    const { name, uid = '' } = created.metadata;
    const minute = Math.floor(Date.UTC(2026, 0, 1, 0, 5) / minutes(1));
    const ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
    await client.create(Job, {
      ...work(),
      metadata: { name: `tick-${minute}`, namespace: 'default', ownerReferences },
    });
    await client.patch(CronJob, metadata, 'merge', { spec: { suspend: false } });
    await clock.advance(seconds(5));
    const { status } = await client.get(CronJob, metadata);
    assert.deepEqual([status?.active?.length, status?.lastScheduleTime], [1, '2026-01-01T00:05:00Z']);
    assert.equal((await client.list(Job)).items.length, 1);
  });
});
