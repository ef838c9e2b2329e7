// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { processesOf } from '@forge/testing/programs/pod-processes.ts';
import { storeCanary } from './canary.ts';
import { beginAgain, untilInitialising } from './initialization.ts';
import { liveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

describe('the initialisation of real servers', () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('whose reply never arrives says so, and what it says helps', async () => {
    const bao = await liveOpenBao(cluster, 'cut');
    await bao.create({ replicas: 1, version: '2.6.2' });
    // Found before it matters: the reply is a few seconds away then.
    const { pid } = await eventually('the server runs', async () => (await processesOf(bao.names.pod(0), 'bao'))[0]);
    await untilInitialising(bao);
    process.kill(pid, 'SIGSTOP');
    // Longer than the operator waits for the reply.
    await bao.until('OpenBaoInitialized', 'Waiting for an answer of pod cut-0');
    process.kill(pid, 'SIGCONT');
    await bao.until('Degraded', 'RootTokenLost');
    await beginAgain(bao);
    await bao.untilVoters();
    await storeCanary(bao);
  });

  test('whose reply an operator that is killed has not stored says so, and what it says helps', async () => {
    const bao = await liveOpenBao(cluster, 'reply');
    await bao.create({ replicas: 1 });
    await untilInitialising(bao);
    await cluster.killOperator();
    const said = await bao.until('Degraded', 'RootTokenLost');
    assert.match(said, /delete PersistentVolumeClaim data-reply-0 and Pod reply-0 to begin again/);
    await beginAgain(bao);
    await bao.untilVoters();
    await storeCanary(bao);
  });

  test('is completed by an operator that is told to end meanwhile', async () => {
    const { client, operator } = cluster;
    const bao = await liveOpenBao(cluster, 'ended');
    await bao.create({ replicas: 1 });
    await untilInitialising(bao);
    await client.deleteAll(Pod, { namespace: operator.namespace });
    await bao.untilVoters();
    await storeCanary(bao);
  });
});
