// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, found } from '../running-cluster.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from '../start-openbao-operator.ts';

const waitingForPod = 'NotInitialized: Waiting for pod demo-0 to start';
const tokenLost = '+Initialized: OpenBao is initialised, but its root token is lost';
const rootTokenLost =
  '+RootTokenLost: OpenBao was initialised, but its answer with the root token was lost, and nobody can log in: delete PersistentVolumeClaim data-demo-0 and Pod demo-0 to begin again, or create Secret demo-root-token with the key "token" if you have the token';

const isHealth = (call: string) => call.endsWith('sys/health');
const isInit = (call: string) => call.endsWith('sys/init');
const countOf = (calls: readonly string[], is: (call: string) => boolean) => calls.filter(is).length;

/** Whether it stores the root token, and not only asks whether it could. */
const storesToken = ({ method, path, query, body }: ApiRequest) =>
  method === 'POST' &&
  path.endsWith('/secrets') &&
  query?.['dryRun'] === undefined &&
  (body as Secret).metadata.name === 'demo-root-token';

const rootToken: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...home, name: 'demo-root-token' },
  data: { token: Buffer.from('s.known').toString('base64') },
};

const create = ({ cluster }: StartedOpenBaoOperator, spec: Partial<OpenBaoCluster['spec']> = { replicas: 1 }) =>
  cluster.client.create(OpenBaoCluster, openbaoFixture(spec));

/** The initialisation of a cluster, which happens once. */
export function initialiseFlows(observer: CatalogObserver): void {
  test('a server that does not answer is asked again', async () => {
    let isLost = true;
    await using operator = await startOpenBaoOperator({ observer, losesReply: (call) => isLost && isHealth(call) });
    await create(operator);
    const noAnswer = /^NotInitialized: Waiting for an answer of pod demo-0: /;
    await operator.cluster.clock.until(async () =>
      noAnswer.test((await operator.condition('OpenBaoInitialized')) ?? ''),
    );
    isLost = false;
    await operator.untilCondition('Available', allReady(1));
  });

  test('an operator outside the cluster says that it cannot initialise anything', async () => {
    await using operator = await startOpenBaoOperator({ observer, ownNamespace: undefined, losesReply: isHealth });
    await create(operator);
    const outside = /^NotInitialized: Pod demo-0 can be initialised only by an operator that runs inside the cluster: /;
    await operator.cluster.clock.until(async () =>
      outside.test((await operator.condition('OpenBaoInitialized')) ?? ''),
    );
  });

  test('nothing is initialised while the root token could not be stored', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { clock } = operator.cluster;
    await create(operator);
    await operator.untilCondition('OpenBaoInitialized', waitingForPod);
    const allow = await operator.deny('create', Secret);
    await operator.untilCondition('OpenBaoInitialized', 'ApplyRejected: Secret demo-root-token was refused: Forbidden');
    await clock.advance(seconds(10));
    assert.equal(countOf(operator.calls(), isInit), 0);
    await allow();
    await operator.untilCondition('Available', allReady(1));
    assert.equal(countOf(operator.calls(), isInit), 1);
  });

  test('a root token whose Secret is refused at first is stored by the same pass', async () => {
    let refusals = 3;
    const before = async (request: ApiRequest) => {
      if (storesToken(request) && refusals-- > 0) throw refusal(503, 'ServiceUnavailable', 'not now');
    };
    await using operator = await startOpenBaoOperator({ observer, before });
    await create(operator);
    await operator.untilCondition('Available', allReady(1));
    const claim = await found(PersistentVolumeClaim, 'data-demo-0', operator);
    assert.equal(claim?.metadata.annotations?.[annotations.initialization], undefined);
    assert.notEqual((await found(Secret, 'demo-root-token', operator))?.data?.['token'], undefined);
  });

  test('a lost reply stops at one pod; with the token in its Secret the cluster goes on', async () => {
    await using operator = await startOpenBaoOperator({ observer, losesReply: isInit });
    const { client, clock } = operator.cluster;
    await create(operator, { replicas: 3 });
    await operator.untilCondition('OpenBaoInitialized', tokenLost);
    assert.equal(await operator.condition('Degraded'), rootTokenLost);
    await clock.advance(minutes(1));
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 1);
    assert.equal(countOf(operator.calls(), isInit), 1);
    // A Secret without a token is none.
    await client.create(Secret, { ...rootToken, data: { token: '' } });
    await clock.advance(minutes(1));
    assert.equal(await operator.condition('Degraded'), rootTokenLost);
    await client.delete(Secret, { ...home, name: 'demo-root-token' });
    await client.create(Secret, rootToken);
    await operator.untilCondition('Available', allReady(3));
    assert.equal(countOf(operator.calls(), isInit), 0);
  });

  test('after a lost reply, without claim and pod, the cluster begins again', async () => {
    let isLost = true;
    await using operator = await startOpenBaoOperator({ observer, losesReply: (call) => isLost && isInit(call) });
    const { client } = operator.cluster;
    await create(operator);
    await operator.untilCondition('Degraded', rootTokenLost);
    isLost = false;
    await client.delete(PersistentVolumeClaim, { ...home, name: 'data-demo-0' });
    await client.delete(Pod, { ...home, name: 'demo-0' });
    await operator.untilCondition('Available', allReady(1));
    assert.equal(countOf(operator.calls(), isInit), 2);
    assert.notEqual(await found(Secret, 'demo-root-token', operator), undefined);
  });

  test('an operator that ends between the reply and the Secret has lost the token, and its successor says so', async () => {
    let isEnding = true;
    const before = async (request: ApiRequest) => {
      if (isEnding && storesToken(request)) await new Promise(() => {});
    };
    await using operator = await startOpenBaoOperator({ observer, before });
    await create(operator);
    await operator.cluster.clock.until(() => operator.servers.serverIn({ ...home, name: 'demo-0' })?.leads === true);
    await operator.stop();
    isEnding = false;
    await operator.start();
    await operator.untilCondition('OpenBaoInitialized', tokenLost);
    assert.equal(await operator.condition('Degraded'), rootTokenLost);
    assert.equal(countOf(operator.calls(), isInit), 1);
  });

  test('an operator that ended before its call waits until it must have ended, and calls again', async () => {
    let isStuck = true;
    await using operator = await startOpenBaoOperator({
      observer,
      behavior: () => (isStuck ? { stuck: 'cannot pull' } : undefined),
    });
    const { client, clock } = operator.cluster;
    await create(operator);
    await clock.until(async () => (await found(PersistentVolumeClaim, 'data-demo-0', operator)) !== undefined);
    const intent = { metadata: { annotations: { [annotations.initialization]: '2026-01-01T00:00:00Z' } } };
    await client.patch(PersistentVolumeClaim, { ...home, name: 'data-demo-0' }, 'merge', intent);
    isStuck = false;
    const unanswered =
      'NotInitialized: An initialisation was begun and its answer is missing: waiting until it must have ended';
    await operator.untilCondition('OpenBaoInitialized', unanswered);
    await clock.advance(seconds(50));
    assert.equal(countOf(operator.calls(), isInit), 0);
    await operator.untilCondition('Available', allReady(1));
    assert.equal(countOf(operator.calls(), isInit), 1);
  });

  test('nothing is initialised on a claim that somebody deletes at that moment', async () => {
    let isFirst = true;
    await using operator = await startOpenBaoOperator({
      observer,
      before: async ({ method, path, body }) => {
        const isIntent = method === 'PATCH' && path.endsWith('/data-demo-0');
        if (!isFirst || !isIntent || !JSON.stringify(body).includes(annotations.initialization)) return;
        isFirst = false;
        await operator.cluster.client.delete(PersistentVolumeClaim, { ...home, name: 'data-demo-0' });
      },
    });
    await create(operator);
    await operator.untilCondition(
      'OpenBaoInitialized',
      'NotInitialized: PersistentVolumeClaim data-demo-0 is being deleted: delete pod demo-0, so that both are made again',
    );
    assert.equal(countOf(operator.calls(), isInit), 0);
  });

  test('a pod that is about to be replaced is not initialised', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { servers, cluster } = operator;
    const asked: unknown[] = [];
    servers.onRequest = ({ url }, server) => void (isInit(url) && asked.push(server));
    await create(operator);
    await operator.untilCondition('OpenBaoInitialized', waitingForPod);
    const allow = await operator.deny('create', Secret);
    await operator.untilCondition('OpenBaoInitialized', 'ApplyRejected: Secret demo-root-token was refused: Forbidden');
    await allow();
    await cluster.client.patch(OpenBaoCluster, home, 'merge', { spec: { config: { log_level: 'debug' } } });
    await operator.untilCondition('Available', allReady(1));
    assert.equal(countOf(operator.calls(), isInit), 1);
    assert.deepEqual(asked, [servers.serverIn({ ...home, name: 'demo-0' })]);
  });

  test('a root token of data that is gone is not overwritten', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client } = operator.cluster;
    await client.create(Secret, rootToken);
    await create(operator);
    await operator.untilCondition(
      'OpenBaoInitialized',
      'NotInitialized: Waiting for the deletion of the Secret with an old root token',
    );
    assert.equal(
      await operator.condition('Degraded'),
      '+RootTokenLost: OpenBao is not initialised, but Secret demo-root-token holds a root token of data that is gone: delete it, so that the new one can be stored',
    );
    assert.equal(countOf(operator.calls(), isInit), 0);
    await client.delete(Secret, { ...home, name: 'demo-root-token' });
    await operator.untilCondition('Available', allReady(1));
    assert.notDeepEqual((await found(Secret, 'demo-root-token', operator))?.data, rootToken.data);
  });
}
