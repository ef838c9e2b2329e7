// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { attemptFromNamespace, attemptFromPod } from '@forge/testing/programs/attempt-connections.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { apiPort, clusterPort } from '../../api/names.ts';
import { liveOpenBao, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

const refused = 'EHOSTUNREACH';

/** Declares who may use the API. */
const admit = (name: string) => ({
  ingressRules: [
    {
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } }],
      ports: [{ port: apiPort, protocol: 'TCP' as const }],
    },
  ],
});

describe('the NetworkPolicy of an OpenBaoCluster, enforced', () => {
  let cluster: OperatorCluster;
  let bao: LiveOpenBao;
  /** The Service, and the two ports of a server. */
  let service: string;
  let api: string;
  let peer: string;

  before(async () => {
    cluster = await startCluster();
    bao = await liveOpenBao(cluster, 'guarded');
    await bao.create({ network: { dnsNamespace: 'kube-system', ...admit('users') } });
    service = `${bao.names.publicService}.${bao.ref.namespace}.svc:${apiPort}`;
  });
  after(() => cluster[Symbol.asyncDispose]());

  const isAllowed = async (namespace: string) =>
    (await attemptFromNamespace(cluster, namespace, [service]))[service] === 'connected';

  test('allows the operator to initialise it, and the servers to become voters', async () => {
    await bao.untilVoters();
    const [, second] = await bao.pods();
    const address = second?.status?.podIP ?? assert.fail('the second server has no address');
    [api, peer] = [`${address}:${apiPort}`, `${address}:${clusterPort}`];
  });

  test('allows the declared namespace to use the API only, by pod and by Service', async () => {
    const outcomes = await attemptFromNamespace(cluster, 'users', [service, api, peer]);
    assert.deepEqual(outcomes, { [service]: 'connected', [api]: 'connected', [peer]: refused });
  });

  test('refuses every other namespace, its own included, and other pods in that of the operator', async () => {
    for (const namespace of ['elsewhere', bao.ref.namespace, cluster.operator.namespace]) {
      const outcomes = await attemptFromNamespace(cluster, namespace, [service, api, peer]);
      assert.deepEqual(outcomes, { [service]: refused, [api]: refused, [peer]: refused }, namespace);
    }
  });

  test('allows a server to reach its peers, the API server and DNS, and nothing else', async () => {
    const [pod = assert.fail('no server')] = await bao.pods();
    const expected = {
      [service]: 'connected',
      [api]: 'connected',
      [peer]: 'connected',
      '10.96.0.10:53': 'connected',
      'kubernetes.default.svc:443': 'connected',
      '10.244.0.1:10250': refused,
      [`${cluster.operator.name}.${cluster.operator.namespace}.svc:8080`]: refused,
      'nowhere.default.svc:80': 'unknown name',
    };
    assert.deepEqual(await attemptFromPod(cluster, pod, Object.keys(expected)), expected);
  });

  test('follows the spec: another namespace is allowed, and the former one is not any more', async () => {
    await bao.change({ network: admit('elsewhere') });
    await eventually('the other namespace is allowed', () => isAllowed('elsewhere'));
    assert.equal(await isAllowed('users'), false);
  });
});
