// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlIn, withoutKubectl } from '@forge/apiserver/test/kubectl.ts';
import type { ServedServer } from '@forge/apiserver/test/served-server.ts';
import { servedCluster } from './served-cluster.ts';

/** Polls until the output matches, since controllers are asynchronous. */
async function eventuallyMatches(wanted: RegExp, ask: () => Promise<string>): Promise<void> {
  while (!wanted.test(await ask()));
}

describe('kubectl runs', { skip: withoutKubectl(), concurrency: 4 }, () => {
  let cluster: ServedServer;
  before(async () => {
    cluster = await servedCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('a deployment through its revisions', async () => {
    const kubectl = await kubectlIn(cluster, 'rollout');
    const status = 'rollout status deployment/web --timeout=60s';
    await kubectl('create deployment web --image=web:1 --replicas=2');
    assert.match(await kubectl(status), /deployment "web" successfully rolled out/);
    await kubectl('scale deployment web --replicas=3');
    await kubectl('wait deployment/web --timeout=60s --for=jsonpath={.status.readyReplicas}=3');
    await kubectl('set image deployment/web web=web:2');
    await kubectl(status);
    assert.match(await kubectl('rollout history deployment/web'), /^1 +<none>\n2 +<none>$/m);
    await kubectl('rollout undo deployment/web');
    await kubectl(status);
    assert.equal(await kubectl('get deployment web -o jsonpath={..image}'), 'web:1');
    await kubectl('rollout restart deployment/web');
    await kubectl(status);
    assert.match(await kubectl('get deployment web -o wide'), /^web +3\/3 +3 +3 +\d+s +web +web:1 +app=web$/m);
    assert.match(await kubectl('events --for=deployment/web'), /ScalingReplicaSet +Deployment\/web/);
    assert.match(await kubectl('get events --field-selector=involvedObject.kind=Deployment'), /deployment\/web/);
  });

  test('pods, and describes them', async () => {
    const kubectl = await kubectlIn(cluster, 'describe');
    await kubectl('run solo --image=solo:1 --port=80 --labels=app=solo');
    await kubectl('expose pod solo --port=80');
    await kubectl('wait pod/solo --for=condition=Ready --timeout=60s');
    assert.match(await kubectl('get pods -o wide'), /^solo +1\/1 +Running +0 +\d+s +10\.\S+ +fake +<none> +<none>$/m);
    assert.match(await kubectl('describe pod solo'), /^Node: +fake\/[^]*^Status: +Running$[^]*Scheduled[^]*to fake/m);
    await eventuallyMatches(/^Endpoints: +10\.\S+:80$/m, () => kubectl('describe service solo'));
    assert.match(await kubectl('describe node fake'), /^Non-terminated Pods:[^]* describe +solo /m);
    const deleted = kubectl('wait pod/solo --for=delete --timeout=60s');
    assert.match(await kubectl('delete pod solo'), /pod "solo" deleted/);
    await deleted;
  });

  test('deletes that cascade in the background, orphan, or cascade in the foreground', async () => {
    const kubectl = await kubectlIn(cluster, 'cascade');
    const owned = () => kubectl('get replicasets,pods -o name');
    const deployed = async (name: string) => {
      await kubectl(`create deployment ${name} --image=a:1`);
      await kubectl(`rollout status deployment/${name} --timeout=60s`);
    };
    await deployed('left');
    await kubectl('delete deployment left --cascade=orphan');
    assert.match(await owned(), /^replicaset\.apps\/left-\w+\npod\/left-\w+-\w+\n$/);
    await kubectl('delete replicasets --all --cascade=foreground');
    assert.doesNotMatch(await owned(), /replicaset/);
    await deployed('taken');
    await kubectl('delete deployment taken --cascade=background');
    await eventuallyMatches(/^$/, owned);
    assert.match(await kubectl('delete namespace cascade'), /namespace "cascade" deleted/);
  });
});
