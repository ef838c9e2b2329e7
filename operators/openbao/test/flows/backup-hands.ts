// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { clusterLabel } from '../../api/names.ts';
import { halfHourly, jobsOf, readyForBackups, storesAfter, trigger } from '../backups.ts';
import { home } from '../openbao-fixture.ts';
import { changeSpec, deleted, found } from '../running-cluster.ts';

const job = 'backup-demo-20260101-003000';
const running = `+BackupInProgress: Backup Job ${job} is running`;
const succeeded = /^BackupSucceeded: /;

type Operator = Awaited<ReturnType<typeof readyForBackups>>;

/** Snapshots that take five minutes, of which one has begun. */
async function whileRunning(...args: Parameters<typeof readyForBackups>): Promise<Operator> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await readyForBackups(...args));
  operator.executor.behavior = storesAfter(minutes(5));
  await operator.untilCondition('BackingUp', running);
  await operator.cluster.clock.advance(minutes(1));
  stack.move();
  return operator;
}

const untilStored = (operator: Operator) =>
  operator.cluster.clock.until(async () => succeeded.test((await operator.condition('BackingUp')) ?? ''));

const uidOf = async (operator: Operator) => (await found(Job, job, operator))?.metadata.uid;

const removeJob = ({ cluster: { client } }: Operator) =>
  client.delete(Job, { ...home, name: job }, { propagation: 'Background' });

/** What people do while a snapshot is made. */
export function backupHandsFlows(observer: CatalogObserver): void {
  test('a Job that somebody deletes while it works is made again, and counts once', async () => {
    await using operator = await whileRunning({ observer });
    const uid = await uidOf(operator);
    await removeJob(operator);
    await operator.cluster.clock.advance(seconds(20));
    assert.notEqual(await uidOf(operator), uid);
    await untilStored(operator);
    await operator.cluster.clock.advance(minutes(3));
    const { consecutiveFailures, lastAttemptTime } = (await operator.resource()).status?.backup ?? {};
    assert.deepEqual([consecutiveFailures, lastAttemptTime], [0, '2026-01-01T00:30:00Z']);
    assert.deepEqual(await jobsOf(operator), [job]);
  });

  test('a Job that is gone when the operator comes back much later has failed', async () => {
    await using operator = await whileRunning({ observer });
    await operator.stop();
    await removeJob(operator);
    await operator.cluster.clock.advance(minutes(50));
    await operator.start();
    const why = `BackupFailed: Backup Job ${job} failed: it is gone, and its end was not seen`;
    await operator.untilCondition('BackingUp', why);
    assert.equal((await operator.resource()).status?.backup?.consecutiveFailures, 1);
    assert.deepEqual(await jobsOf(operator), []);
  });

  test('a Job without its labels is found, and gets them back', async () => {
    await using operator = await whileRunning({ observer });
    const { client, clock } = operator.cluster;
    const uid = await uidOf(operator);
    await client.patch(Job, { ...home, name: job }, 'merge', { metadata: { labels: { [clusterLabel]: null } } });
    await clock.advance(seconds(20));
    assert.equal(await uidOf(operator), uid);
    assert.equal((await found(Job, job, operator))?.metadata.labels?.[clusterLabel], 'demo');
    await untilStored(operator);
    assert.deepEqual(await jobsOf(operator), [job]);
  });

  test('what a Job works at stays when schedule and target are changed; the next one follows the spec', async () => {
    await using operator = await whileRunning({ observer });
    const uid = await uidOf(operator);
    await changeSpec(operator, { backup: { schedule: '45 * * * *', target: { bucket: 'others' } } });
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(await operator.condition('BackingUp'), running);
    assert.equal(await uidOf(operator), uid);
    await untilStored(operator);
    assert.equal((await operator.resource()).status?.backup?.consecutiveFailures, 0);
    await operator.cluster.clock.advance(minutes(11));
    const next = await found(Job, 'backup-demo-20260101-004500', operator);
    const environment = next?.spec?.template.spec?.containers[0]?.env ?? [];
    assert.equal(environment.find(({ name }) => name === 'BACKUP_BUCKET')?.value, 'others');
    assert.equal((await jobsOf(operator)).length, 2);
  });

  test('a Job that cannot start says why, and one with a corrected image takes its place', async () => {
    await using operator = await readyForBackups({ observer }, { executorImage: 'mistake:1' });
    const play = operator.executor.behavior;
    operator.executor.behavior = (pod) =>
      pod.spec?.containers[0]?.image === 'mistake:1' ? { stuck: 'cannot pull' } : play(pod);
    await operator.untilCondition('BackingUp', `${running}: ImagePullBackOff: image "mistake:1" cannot be pulled`);
    await changeSpec(operator, { backup: { executorImage: halfHourly.executorImage } });
    await untilStored(operator);
    assert.deepEqual(await jobsOf(operator), [job]);
  });

  test('a Job that never starts is ended by its deadline', async () => {
    await using operator = await readyForBackups({ observer }, { schedule: '30 * * * *' });
    operator.executor.behavior = () => ({ stuck: 'cannot pull' });
    await operator.cluster.clock.advance(minutes(60));
    const end = `BackupFailed: Backup Job ${job} failed: DeadlineExceeded: it was ended after 2400 seconds`;
    await operator.untilCondition('BackingUp', end);
  });

  test('a Secret that is deleted before the Job could use it is named', async () => {
    await using operator = await readyForBackups({ observer });
    operator.executor.behavior = () => ({ stuck: { reason: 'ContainerCreating' } });
    await operator.untilCondition('BackingUp', running);
    await operator.cluster.client.delete(Secret, { ...home, name: 's3' });
    await operator.cluster.clock.until(async () =>
      /is running: .*Secret s3 with the credentials/.test((await operator.condition('BackingUp')) ?? ''),
    );
  });

  test('a Job whose pod is gone before its message was read tells what it can', async () => {
    await using operator = await whileRunning({ observer });
    const { client, clock } = operator.cluster;
    await operator.stop();
    await clock.advance(minutes(5));
    const { items } = await client.list(Pod, { namespace: home.namespace, labelSelector: `job-name=${job}` });
    for (const { metadata } of items) await client.delete(Pod, { ...home, name: metadata.name });
    await operator.start();
    await untilStored(operator);
    const { lastBackupSize, lastBackupDuration, lastBackupName } = (await operator.resource()).status?.backup ?? {};
    assert.deepEqual([lastBackupSize, lastBackupDuration], [undefined, '5m0s']);
    assert.match(lastBackupName ?? '', /^default\/demo\/2026-01-01T00-30-00Z-/);
  });

  test('a Job goes on when spec.backup is removed, and its end is accounted for', async () => {
    await using operator = await whileRunning({ observer });
    await changeSpec(operator, { backup: null });
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(await operator.condition('BackingUp'), running);
    await operator.untilCondition('BackingUp', 'Idle: spec.backup is not set');
    assert.equal((await operator.resource()).status?.backup?.lastBackupTime, '2026-01-01T00:35:00Z');
  });

  test('a snapshot waits for a pod that leads', async () => {
    await using operator = await readyForBackups({ observer });
    const { client, clock } = operator.cluster;
    await client.patch(Pod, { ...home, name: 'demo-0' }, 'merge', {
      metadata: { labels: { 'openbao-active': 'false' } },
    });
    await trigger('now', operator);
    await operator.untilCondition('BackingUp', 'Idle: A snapshot is due, and waits for a pod that leads');
    await client.patch(Pod, { ...home, name: 'demo-0' }, 'merge', {
      metadata: { labels: { 'openbao-active': 'true' } },
    });
    await clock.advance(minutes(1));
    assert.equal((await jobsOf(operator)).length, 1);
  });

  test('a deletion ends the Jobs before the servers', async () => {
    const gone: string[] = [];
    await using operator = await whileRunning({
      observer,
      before: async ({ method, path }) => {
        if (method === 'DELETE') gone.push(path.split('/').slice(-2).join('/'));
      },
    });
    await deleted(operator);
    assert.deepEqual(gone.slice(0, 2), [`jobs/${job}`, 'statefulsets/demo']);
    assert.deepEqual(await jobsOf(operator), []);
  });
}
