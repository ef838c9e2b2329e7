// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { JobSpec } from '@forge/kube/generated/types.ts';
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds, type Duration } from '../environment/duration.ts';
import { checkpoint, ready, waiting } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import type { Services, Site } from '../test/site.ts';
import { jobKeyOf, keyedJob } from './job-key.ts';
import { jobPods, runJob } from './run-job.ts';

const job = (name: string, spec: Partial<JobSpec> = {}): Job =>
  keyedJob({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'sync:1' }] } }, ...spec },
  });

const pods = jobPods<Site, Services>();

const place = (name: string) => ({ namespace: 'default', name });

/** Runs the Job that status names; it is written ahead. */
const archive = ({ retry, outputs }: { retry?: Duration | 'never'; outputs?: (string | undefined)[] } = {}) =>
  step({
    name: 'Archive',
    condition: 'Archived',
    owns: [owned(Job, ['create', 'remove'])],
    reads: [pods],
    writes: ['url', 'failed'],
    async run({ object, ...context }) {
      const { url, failed } = object.status ?? {};
      const name = `archive-${object.spec.text}`;
      if (url === undefined || !url.startsWith(name)) return checkpoint({ url: name });
      const [, completed] = url.split(' ');
      const wanted = keyedJob(job(name, { activeDeadlineSeconds: 60 }), name);
      const progress = await runJob(
        wanted,
        { pods, completed, failed, output: outputs !== undefined, ...(retry !== undefined && { retry }) },
        context,
      );
      const { state, problem: trouble = '' } = progress;
      if (state !== 'complete') return waiting(state, trouble, seconds(30), { status: { failed: progress.failed } });
      if (completed === undefined) outputs?.push(progress.output);
      return ready('Done', '', {
        status: { url: `${name} ${jobKeyOf(wanted)}`, failed: undefined },
      });
    },
  });

describe('Jobs whose names come from status', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const live = (name: string) => operator.cluster.client.find(Job, place(name));
  const shown = async () => {
    const [condition] = (await operator.site()).status?.conditions ?? [];
    return [condition?.reason, condition?.message];
  };
  const podReads = () =>
    operator.cluster.connection.requests
      .splice(0)
      .filter((request) => request.startsWith('GET') && request.endsWith('/pods'));

  const end = async (name: string, type: 'Complete' | 'Failed', reason = 'BackoffLimitExceeded') => {
    const time = new Date(operator.cluster.clock.now()).toISOString();
    const ended = { type, status: 'True', reason, lastTransitionTime: time, lastProbeTime: time };
    const before = { type: type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', status: 'True' };
    const done = type === 'Complete' ? { completionTime: time } : {};
    const status = { conditions: [before, ended], startTime: time, ...done };
    await operator.cluster.client.patch(Job, place(name), 'merge', { status }, { subresource: 'status' });
    await operator.cluster.clock.settle();
  };

  /** A pod of the Job that has ended in this way. */
  const pod = async (owner: string, phase: 'Succeeded' | 'Failed', message: string, name = `${owner}-1`) => {
    const metadata = { ...place(name), labels: { 'batch.kubernetes.io/job-name': owner } };
    const containers = ['side', 'main'].map((each) => ({ name: each, image: 'sync:1' }));
    await operator.cluster.client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } });
    const exitCode = phase === 'Failed' ? 1 : 0;
    const states = {
      side: { terminated: { exitCode: 0, message: 'not this' } },
      main: { terminated: { exitCode, message } },
    };
    const containerStatuses = Object.entries(states).map(([container, state]) => {
      return { name: container, image: 'sync:1', imageID: '', ready: false, restartCount: 0, state };
    });
    const status = { phase, containerStatuses };
    await operator.cluster.client.patch(Pod, metadata, 'merge', { status }, { subresource: 'status' });
  };

  test('run one after the other, each once, and those that have ended stay', async () => {
    await operator.start(archive());
    await end('archive-hello', 'Complete');
    assert.deepEqual(await shown(), ['Done', '']);
    await operator.patch({ text: 'again' });
    await end('archive-again', 'Complete');
    assert.deepEqual(await shown(), ['Done', '']);
    await operator.cluster.client.delete(Job, place('archive-again'), { propagation: 'Background' });
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(
      [(await live('archive-hello'))?.metadata.name, await live('archive-again')],
      ['archive-hello', undefined],
    );
  });

  test('hand over the termination message of their first container, which is read once', async () => {
    const outputs: (string | undefined)[] = [];
    await operator.start(archive({ outputs }));
    await pod('archive-hello', 'Failed', 'not this either', 'archive-hello-0');
    await pod('archive-hello', 'Succeeded', '{"key":"a/b.snap","bytes":7}');
    await pod('archive-other', 'Succeeded', 'nor this');
    podReads();
    await end('archive-hello', 'Complete');
    await operator.cluster.clock.advance(minutes(30));
    assert.deepEqual([outputs, podReads().length], [['{"key":"a/b.snap","bytes":7}'], 1]);
  });

  test('hand over the message of the newest pod that has succeeded', async () => {
    const outputs: (string | undefined)[] = [];
    await operator.start(archive({ outputs }));
    await pod('archive-hello', 'Succeeded', 'of a run before', 'archive-hello-a');
    await operator.cluster.clock.advance(seconds(2));
    await pod('archive-hello', 'Succeeded', 'of this run', 'archive-hello-b');
    await end('archive-hello', 'Complete');
    assert.deepEqual(outputs, ['of this run']);
  });

  test('complete without a message when their pod is gone', async () => {
    const outputs: (string | undefined)[] = [];
    await operator.start(archive({ outputs }));
    await end('archive-hello', 'Complete');
    assert.deepEqual([outputs, await shown()], [[undefined], ['Done', '']]);
  });

  test('do not run again after a failure that is final, even when their TTL has removed them', async () => {
    await operator.start(archive({ retry: 'never' }));
    const uid = (await live('archive-hello'))?.metadata.uid;
    await pod('archive-hello', 'Failed', 'no bucket');
    podReads();
    await end('archive-hello', 'Failed');
    assert.deepEqual(await shown(), ['failed', 'Error: no bucket']);
    await operator.cluster.clock.advance(minutes(60));
    assert.equal((await live('archive-hello'))?.metadata.uid, uid);
    assert.equal(podReads().length, 1);
    await operator.cluster.client.delete(Job, place('archive-hello'), { propagation: 'Background' });
    await operator.restart(archive({ retry: 'never' }));
    await operator.cluster.clock.advance(minutes(60));
    assert.deepEqual([await live('archive-hello'), await shown()], [undefined, ['failed', 'Error: no bucket']]);
    await operator.patch({ text: 'again' });
    assert.notEqual(await live('archive-again'), undefined);
    assert.equal((await shown())[0], 'running');
  });

  test('leave no more of a long problem in status than a condition shows', async () => {
    await operator.start(archive({ retry: 'never' }));
    await pod('archive-hello', 'Failed', 'x'.repeat(1000));
    await end('archive-hello', 'Failed');
    assert.equal((await operator.site()).status?.failed?.problem, `Error: ${'x'.repeat(249)}`);
  });

  test('run again after a failure when the step says so', async () => {
    await operator.start(archive({ retry: minutes(20) }));
    const uid = (await live('archive-hello'))?.metadata.uid;
    await end('archive-hello', 'Failed');
    await operator.cluster.clock.advance(minutes(19));
    assert.equal((await live('archive-hello'))?.metadata.uid, uid);
    await operator.cluster.clock.advance(minutes(2));
    assert.notEqual((await live('archive-hello'))?.metadata.uid, uid);
  });

  test('say that their deadline has ended them, and what their pod said', async () => {
    await operator.start(archive({ retry: 'never' }));
    await end('archive-hello', 'Failed', 'DeadlineExceeded');
    assert.deepEqual(await shown(), ['failed', 'DeadlineExceeded: it was ended after 60 seconds']);
    await operator.patch({ text: 'again' });
    await pod('archive-again', 'Failed', 'no leader');
    await end('archive-again', 'Failed', 'DeadlineExceeded');
    assert.deepEqual(await shown(), ['failed', 'DeadlineExceeded: it was ended after 60 seconds: Error: no leader']);
  });

  test('run side by side in one step, and each reports the problem of its own pods', async () => {
    const both = step({
      name: 'Both',
      condition: 'Both',
      owns: [owned(Job, ['create', 'remove'])],
      reads: [pods],
      async run(context) {
        const runs = await Promise.all(['a', 'b'].map((name) => runJob(job(name), { pods }, context)));
        const texts = runs.map(({ state, problem = '' }) => `${state} ${problem}`);
        return waiting('Running', texts.join(', '), seconds(30));
      },
    });
    await operator.start(both);
    await pod('a', 'Failed', 'this is of a');
    await pod('b', 'Failed', 'this is of b');
    await operator.cluster.clock.advance(seconds(31));
    assert.deepEqual(await shown(), ['Running', 'running Error: this is of a, running Error: this is of b']);
  });
});
