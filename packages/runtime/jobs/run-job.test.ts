// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ContainerState } from '@forge/kube/generated/types.ts';
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { ready, waiting } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import type { Services, Site } from '../test/site.ts';
import { jobKeyOf, keyedJob } from './job-key.ts';
import { jobPods, runJob } from './run-job.ts';

const place = { namespace: 'default', name: 'sync' };

const job = (text = 'hello'): Job =>
  keyedJob({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sync' },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'sync', image: 'sync:1', args: [text] }] } },
    },
  });

const pods = jobPods<Site, Services>(() => 'sync');

const syncing = step({
  name: 'Sync',
  condition: 'Synced',
  owns: [owned(Job, ['create', 'remove'])],
  reads: [pods],
  writes: ['url', 'failed'],
  async run({ object, ...context }) {
    const wanted = job(object.spec.text);
    const { url: completed, failed } = object.status ?? {};
    const progress = await runJob(wanted, { pods, completed, failed }, context);
    const { state, problem: trouble = '' } = progress;
    if (state !== 'complete') return waiting(state, trouble, seconds(30), { status: { failed: progress.failed } });
    return ready('Done', '', { status: { url: jobKeyOf(wanted), failed: undefined } });
  },
});

describe('a Job that a step runs', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
    await operator.start(syncing);
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const live = () => operator.cluster.client.find(Job, place);
  const reason = async () => (await operator.conditions())[0];
  const message = async () => (await operator.site()).status?.conditions?.[0]?.message;

  const end = async (type: 'Complete' | 'Failed', at = operator.cluster.clock.now()) => {
    const time = new Date(at).toISOString();
    const ended = { type, status: 'True', lastTransitionTime: time, lastProbeTime: time };
    const before = { type: type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', status: 'True' };
    const done = type === 'Complete' ? { completionTime: time } : {};
    const status = { conditions: [before, ended], startTime: time, ...done };
    await operator.cluster.client.patch(Job, place, 'merge', { status }, { subresource: 'status' });
    await operator.cluster.clock.settle();
  };

  /** A pod of the Job in this state. */
  const pod = async (state: ContainerState) => {
    const metadata = { namespace: 'default', name: 'sync-1', labels: { 'batch.kubernetes.io/job-name': 'sync' } };
    const spec = { containers: [{ name: 'sync', image: 'sync:1' }] };
    await operator.cluster.client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    const status = {
      phase: 'Pending',
      containerStatuses: [{ name: 'sync', image: 'sync:1', imageID: '', ready: false, restartCount: 0, state }],
    };
    await operator.cluster.client.patch(Pod, metadata, 'merge', { status }, { subresource: 'status' });
    await operator.cluster.clock.advance(seconds(31));
  };

  test('is created once, and its completed key is remembered when the Job is deleted', async () => {
    const first = await live();
    assert.equal(await reason(), 'Synced False running');
    await end('Complete');
    assert.equal(await reason(), 'Synced True Done');
    await operator.cluster.client.delete(Job, place, { propagation: 'Background' });
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual([await live(), await reason()], [undefined, 'Synced True Done']);
    assert.notEqual(first, undefined);
  });

  test('is replaced for another key when it has ended', async () => {
    await end('Failed');
    assert.equal(await reason(), 'Synced False failed');
    const before = await live();
    await operator.patch({ text: 'new' });
    const after = await live();
    assert.notEqual(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(after?.spec?.template.spec?.containers[0]?.args, ['new']);
  });

  test('that makes progress is never deleted, whatever its key', async () => {
    const before = await live();
    await pod({ running: {} });
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.advance(minutes(10));
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that has just started is not deleted either', async () => {
    const before = await live();
    await pod({ waiting: { reason: 'ContainerCreating' } });
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.advance(minutes(10));
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that is stuck is replaced once its key changes, and reports the problem until then', async () => {
    const before = await live();
    await pod({ waiting: { reason: 'ErrImagePull', message: 'rpc error: not found' } });
    assert.equal(await message(), 'ImagePullBackOff: image "sync:1" cannot be pulled');
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.advance(seconds(31));
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('keeps reporting the problem of its last attempt while the next one runs', async () => {
    await pod({ terminated: { exitCode: 1, message: 'Access denied' } });
    assert.equal(await message(), 'Error: Access denied');
    const status = { active: 1, ready: 1, failed: 1 };
    await operator.cluster.client.patch(Job, place, 'merge', { status }, { subresource: 'status' });
    await operator.cluster.clock.advance(seconds(31));
    assert.equal(await message(), 'Error: Access denied');
  });

  test('stays complete while its TTL deletes it', async () => {
    await end('Complete');
    await operator.cluster.client.patch(Job, place, 'merge', { metadata: { finalizers: ['vendor.example/hold'] } });
    await operator.cluster.client.delete(Job, place, { propagation: 'Background' });
    await operator.cluster.clock.settle();
    assert.notEqual((await live())?.metadata.deletionTimestamp, undefined);
    assert.equal(await reason(), 'Synced True Done');
  });

  test('that is terminating is awaited, not deleted again, and then replaced', async () => {
    const before = await live();
    await operator.cluster.client.patch(Job, place, 'merge', { metadata: { finalizers: ['vendor.example/hold'] } });
    await operator.cluster.client.delete(Job, place, { propagation: 'Background' });
    await pod({ waiting: { reason: 'ErrImagePull' } });
    operator.writes();
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.advance(minutes(2));
    assert.deepEqual(
      operator.writes().filter((request) => request.includes('jobs')),
      [],
    );
    assert.equal(await message(), 'ImagePullBackOff: image "sync:1" cannot be pulled');
    await operator.cluster.client.patch(Job, place, 'merge', { metadata: { finalizers: null } });
    await operator.cluster.clock.advance(seconds(31));
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that failed is retried after five minutes', async () => {
    const before = await live();
    await end('Failed');
    await operator.cluster.clock.advance(minutes(4));
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
    await operator.cluster.clock.advance(minutes(2));
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that failed in the future, by a clock that was set, is retried after five minutes, too', async () => {
    const before = await live();
    await end('Failed', operator.cluster.clock.now() + minutes(60));
    await operator.cluster.clock.advance(minutes(4));
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
    await operator.cluster.clock.advance(minutes(2));
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that failed long ago, by a clock that is behind ours, is retried after five minutes, too', async () => {
    const before = await live();
    await operator.cluster.clock.advance(seconds(5));
    await end('Failed', operator.cluster.clock.now() - minutes(60));
    await operator.cluster.clock.advance(minutes(4));
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
    await operator.cluster.clock.advance(minutes(2));
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that failed before the operator started is retried by the time of its failure', async () => {
    const before = await live();
    await operator.stop();
    await end('Failed', operator.cluster.clock.now() - minutes(4));
    await operator.restart(syncing);
    await operator.cluster.clock.advance(seconds(40));
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
    await operator.cluster.clock.advance(seconds(40));
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
  });

  test('that is retried reports this, with the problem of the failed run, until its key changes', async () => {
    await pod({ terminated: { exitCode: 1, message: 'Access denied' } });
    await end('Failed');
    assert.deepEqual([await reason(), await message()], ['Synced False failed', 'Error: Access denied']);
    await operator.cluster.client.delete(Pod, { ...place, name: 'sync-1' });
    await operator.cluster.client.delete(Job, place, { propagation: 'Background' });
    await operator.cluster.clock.settle();
    assert.deepEqual([await reason(), await message()], ['Synced False retrying', 'Error: Access denied']);
    await operator.patch({ text: 'new' });
    await operator.cluster.client.delete(Job, place, { propagation: 'Background' });
    await operator.cluster.clock.settle();
    assert.deepEqual([await reason(), await message()], ['Synced False running', '']);
  });

  test('does not read its pods while nothing is wrong', async () => {
    operator.cluster.connection.requests.length = 0;
    await operator.cluster.client.patch(
      Job,
      place,
      'merge',
      { status: { active: 1, ready: 1, startTime: new Date(operator.cluster.clock.now()).toISOString() } },
      { subresource: 'status' },
    );
    await operator.cluster.clock.advance(minutes(5));
    assert.deepEqual(
      operator.cluster.connection.requests.filter((request) => request.includes('/pods')),
      [],
    );
  });
});
