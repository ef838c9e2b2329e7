// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { Deployment, Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { world, type World } from './world.ts';

const web = { namespace: 'default', name: 'web' };
const labels = { app: 'web' };
const deployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: web,
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } },
  },
};
const job = (restartPolicy: string, backoffLimit = 0): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: web,
  spec: {
    backoffLimit,
    template: { spec: { restartPolicy, containers: [{ name: 'main', image: 'work:1' }] } },
  },
});

const reasons = ({ state }: World) =>
  state.list(Pod).map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason);
const readyReplicas = ({ state }: World) => state.find(Deployment, web)?.status?.readyReplicas ?? 0;
const jobEnd = ({ state }: World) =>
  state.find(Job, web)?.status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed')?.type;

describe('scripted pods', () => {
  let from: ApiServer;

  before(async () => {
    from = await prepareCluster();
  });

  after(async () => {
    await from.close();
  });

  test('cannot pull their image until the script is removed, and alternate between the two reasons', async () => {
    await using here = await world({ from });
    const end = here.environment.pods.add({ image: /^web:/ }, { stuck: 'cannot pull' });
    await here.during(here.user.create(Deployment, deployment));
    const seen = new Set<string | undefined>();
    await here.until(() => {
      for (const reason of reasons(here)) seen.add(reason);
      return here.state.list(Pod).length === 2 && reasons(here).every((reason) => reason === 'ImagePullBackOff');
    });
    assert.ok(seen.has('ErrImagePull'));
    await here.settle();
    assert.equal(podProblem(here.state.list(Pod)), 'ImagePullBackOff: image "web:1" cannot be pulled');
    assert.equal(readyReplicas(here), 0);
    end();
    await here.until(() => readyReplicas(here) === 2, seconds(11));
  });

  test('wait for their configuration', async () => {
    await using here = await world({ from });
    const stuck = { reason: 'CreateContainerConfigError', message: 'secret "a" not found' };
    here.environment.pods.add({ labels }, { stuck });
    await here.during(here.user.create(Deployment, deployment));
    await here.settle();
    assert.equal(podProblem(here.state.list(Pod)), 'CreateContainerConfigError: secret "a" not found');
  });

  test('crash, restart with increasing delays, and never become ready', async () => {
    await using here = await world({ from });
    const exit = { code: 1, after: seconds(2), message: 'cannot bind to port 5000' };
    here.environment.pods.add({ labels }, { ready: 'never', exit });
    await here.during(here.user.create(Deployment, deployment));
    await here.advance(minutes(2));
    const restarts = here.state.list(Pod).map(({ status }) => status?.containerStatuses?.[0]?.restartCount ?? 0);
    assert.deepEqual(restarts, [3, 3]);
    assert.equal(podProblem(here.state.list(Pod)), 'CrashLoopBackOff: cannot bind to port 5000');
    assert.equal(readyReplicas(here), 0);
  });

  test('exit with a code and a message, and fail their Job', async () => {
    await using here = await world({ from });
    const exit = { code: 1, after: seconds(3), message: 'unknown revision' };
    here.environment.pods.add({ name: /^web-/ }, { exit });
    await here.during(here.user.create(Job, job('Never')));
    await here.until(() => jobEnd(here) === 'Failed');
    assert.equal(podProblem(here.state.list(Pod)), 'Error: unknown revision');
  });

  test('hang, so that their Job neither completes nor fails', async () => {
    await using here = await world({ from });
    here.environment.pods.add({ image: 'work:1' }, { exit: 'never' });
    await here.during(here.user.create(Job, job('OnFailure')));
    await here.advance(minutes(60));
    assert.equal(jobEnd(here), undefined);
    assert.equal(here.state.find(Job, web)?.status?.ready, 1);
  });

  test('follow the newest script within a heartbeat of the node', async () => {
    await using here = await world({ from });
    await here.during(here.user.create(Deployment, deployment));
    await here.until(() => readyReplicas(here) === 2);
    here.environment.pods.add({ labels }, { ready: 'never' });
    await here.until(() => readyReplicas(here) === 0, seconds(11));
    here.environment.pods.add({ labels, namespace: 'default' }, {});
    await here.until(() => readyReplicas(here) === 2, seconds(11));
  });

  test('terminate slowly', async () => {
    await using here = await world({ from });
    here.environment.pods.add({ labels }, { terminationDelay: seconds(20) });
    await here.during(here.user.create(Deployment, deployment));
    await here.until(() => readyReplicas(here) === 2);
    await here.during(here.user.patch(Deployment, web, 'merge', { spec: { replicas: 0 } }));
    await here.advance(seconds(19));
    assert.equal(here.state.list(Pod).length, 2);
    await here.advance(seconds(2));
    assert.equal(here.state.list(Pod).length, 0);
  });
});
