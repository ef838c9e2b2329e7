// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import type { JobStatus } from '@forge/kube/generated/types.ts';
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { isTerminal } from '../../objects/pod-state.ts';
import { isTrue } from '../../objects/with-condition.ts';
import { work } from '../test/manifests.ts';

const ref = { namespace: 'default', name: 'work' };

async function statusOf(client: Client): Promise<JobStatus> {
  return (await client.get(Job, ref)).status ?? {};
}

function conditionsOf({ conditions = [] }: JobStatus): string[] {
  return conditions.map(({ type, reason }) => `${type} ${reason ?? ''}`);
}

describe('a Job', () => {
  test('completes when its pod succeeds', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 0, after: seconds(7) } }) });
    const { client, clock } = cluster;
    await client.create(Job, work());
    await clock.advance(seconds(5));
    const running = await statusOf(client);
    assert.deepEqual([running.active, running.ready], [1, 1]);
    await clock.until(async () => isTrue((await statusOf(client)).conditions, 'Complete'));
    const status = await statusOf(client);
    assert.deepEqual(conditionsOf(status), ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
    assert.deepEqual([status.succeeded, status.failed, status.active], [1, undefined, undefined]);
    assert.ok(Date.parse(status.completionTime ?? '') - Date.parse(status.startTime ?? '') >= seconds(7));

    const { items } = await client.list(Pod);
    const [pod] = items;
    assert.equal(items.length, 1);
    assert.equal(pod?.metadata.labels?.['batch.kubernetes.io/job-name'], 'work');
    assert.equal(pod.metadata.labels['job-name'], 'work');
    assert.deepEqual(pod.metadata.finalizers ?? [], []);
  });

  test('counts each pod once, also pods deleted right after they finished', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 0, after: seconds(3) } }) });
    const { client, clock } = cluster;
    await client.create(Job, work({ completions: 6, parallelism: 2 }));
    await clock.until(async () => {
      for (const { metadata } of (await client.list(Pod)).items.filter(isTerminal)) {
        await client.delete(Pod, { namespace: 'default', name: metadata.name }).catch(() => undefined);
      }
      return isTrue((await statusOf(client)).conditions, 'Complete');
    });
    const { succeeded, failed, uncountedTerminatedPods } = await statusOf(client);
    assert.deepEqual([succeeded, failed, uncountedTerminatedPods], [6, undefined, {}]);
  });

  test('retries with exponential backoff and fails at backoffLimit', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 1, after: now } }) });
    const { client, clock } = cluster;
    await client.create(Job, work({ backoffLimit: 2 }));
    const starts: number[] = [];
    const begin = clock.now();
    await clock.until(async () => {
      const count = (await client.list(Pod)).items.length;
      if (count > starts.length) starts.push((clock.now() - begin) / 1000);
      return isTrue((await statusOf(client)).conditions, 'Failed');
    });
    assert.deepEqual(
      starts.map((second) => Math.round(second / 10) * 10),
      [0, 10, 30],
    );
    const status = await statusOf(client);
    assert.deepEqual(conditionsOf(status), ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
    assert.deepEqual([status.failed, status.succeeded, status.active], [3, undefined, undefined]);
  });

  test('completes when a retry succeeds', async () => {
    let tries = 0;
    const seen = new Set<string>();
    await using cluster = await testCluster({
      behavior: ({ metadata }) => {
        if (!seen.has(metadata.name)) tries = seen.add(metadata.name).size;
        return { exit: { code: tries < 3 ? 1 : 0, after: seconds(1) } };
      },
    });
    const { client, clock } = cluster;
    await client.create(Job, work());
    await clock.until(async () => isTrue((await statusOf(client)).conditions, 'Complete'));
    const { succeeded, failed } = await statusOf(client);
    assert.deepEqual([succeeded, failed], [1, 2]);
  });

  test('counts restarts in place against backoffLimit', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 1, after: seconds(1) } }) });
    const { client, clock } = cluster;
    await client.create(Job, work({ backoffLimit: 2 }, 'OnFailure'));
    await clock.until(async () => isTrue((await statusOf(client)).conditions, 'Failed'));
    assert.equal((await statusOf(client)).failed, 1);
    assert.deepEqual((await client.list(Pod)).items, []);
  });

  test('is stopped at its deadline, and fails once its pods are gone', async () => {
    await using cluster = await testCluster({
      behavior: () => ({ exit: { code: 0, after: seconds(900) }, terminationDelay: seconds(8) }),
    });
    const { client, clock } = cluster;
    await client.create(Job, work({ activeDeadlineSeconds: 30 }));
    await clock.advance(seconds(34));
    const ending = await statusOf(client);
    assert.deepEqual(conditionsOf(ending), ['FailureTarget DeadlineExceeded']);
    assert.equal(ending.terminating, 1);
    await clock.advance(seconds(6));
    const status = await statusOf(client);
    assert.deepEqual(conditionsOf(status), ['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
    assert.deepEqual([status.failed, status.terminating], [1, 0]);
  });

  test('deletes surplus pods without counting them as failed', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 0, after: seconds(30) } }) });
    const { client, clock } = cluster;
    await client.create(Job, work({ parallelism: 3, completions: 3 }));
    await clock.until(async () => (await statusOf(client)).ready === 3);
    await client.patch(Job, ref, 'merge', { spec: { parallelism: 1 } });
    await clock.advance(seconds(5));
    assert.equal((await client.list(Pod)).items.length, 1);
    await clock.until(async () => isTrue((await statusOf(client)).conditions, 'Complete'));
    const { succeeded, failed } = await statusOf(client);
    assert.deepEqual([succeeded, failed], [3, undefined]);
  });

  test('is deleted after ttlSecondsAfterFinished', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Job, work({ ttlSecondsAfterFinished: 60 }));
    await clock.advance(seconds(50));
    assert.ok(isTrue((await statusOf(client)).conditions, 'Complete'));
    await clock.until(async () => (await client.find(Job, ref)) === undefined, seconds(20));
    await clock.until(async () => (await client.list(Pod)).items.length === 0, seconds(20));
  });

  test('leaves no pod behind when deleted while it runs', async () => {
    await using cluster = await testCluster({ behavior: () => ({ exit: { code: 0, after: seconds(900) } }) });
    const { client, clock } = cluster;
    await client.create(Job, work());
    await clock.until(async () => (await statusOf(client)).ready === 1);
    await client.delete(Job, ref, { propagation: 'Background' });
    await clock.until(async () => (await client.list(Pod)).items.length === 0, seconds(60));
  });

  test('that is deleted while its status is written does not cause an error', async () => {
    await using cluster = await testCluster({
      behavior: () => ({ exit: { code: 0, after: seconds(10) } }),
      lag: (path) => (path.endsWith('/jobs') ? seconds(5) : now),
    });
    const { client, clock, controllers } = cluster;
    await client.create(Job, work());
    await clock.advance(seconds(12));
    await client.delete(Job, ref, { propagation: 'Background' });
    const before = controllers.requests.length;
    await clock.advance(seconds(10));
    assert.ok(
      controllers.requests.slice(before).some((request) => request.startsWith('PUT ') && request.endsWith('/status')),
    );
    assert.deepEqual(controllers.errors, []);
    assert.deepEqual((await client.list(Pod)).items, []);
  });

  test('that another controller manages is left alone', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Job, work({ managedBy: 'example.com/queue' }));
    await clock.advance(seconds(5));
    assert.deepEqual([(await client.list(Pod)).items, (await client.get(Job, ref)).status], [[], {}]);
  });
});
