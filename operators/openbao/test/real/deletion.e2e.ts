// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { liveOpenBao, type LiveOpenBao } from './live-openbao.ts';
import { untilRemains } from './remains.ts';
import { startCluster } from './start-cluster.ts';

describe('the deletion of an OpenBaoCluster with real servers', { concurrency: true }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  const deleted = ({ ref }: LiveOpenBao, propagation: 'Background' | 'Foreground' = 'Background') =>
    cluster.client.delete(OpenBaoCluster, ref, { propagation });

  for (const [deletionPolicy, propagation] of [
    ['DeletePVCs', 'Background'],
    ['DeleteAll', 'Foreground'],
  ] as const) {
    test(`with ${deletionPolicy} leaves nothing`, async () => {
      const bao = await liveOpenBao(cluster, deletionPolicy.toLowerCase());
      await bao.create({ deletionPolicy, replicas: 1 });
      await bao.untilSettled();
      await deleted(bao, propagation);
      await untilRemains(bao, []);
    });
  }

  test('with Retain keeps the data and its keys, with which it is created again, but not with a lower version', async () => {
    const bao = await liveOpenBao(cluster, 'retained');
    const { names } = bao;
    await bao.create();
    await bao.untilVoters();
    await storeCanary(bao);
    const token = await bao.rootToken();
    const kept = [...[0, 1, 2].map(names.claim), names.unsealKeySecret, names.rootTokenSecret];
    await deleted(bao);
    await untilRemains(bao, kept);

    await bao.create({ version: '2.6.2' });
    await bao.until('Degraded', 'True DowngradeBlocked: Downgrade from 2.7.2 to 2.6.2 is not allowed');
    assert.deepEqual(await bao.pods(), []);
    await bao.change({ version: '2.7.2' });
    await bao.untilVoters();
    await untilCanary(bao);
    assert.equal(await bao.rootToken(), token);

    await deleted(bao, 'Foreground');
    await untilRemains(bao, kept);
    await bao.create({ replicas: 1 });
    await bao.until('Degraded', 'True ScaleDownHeld');
    await bao.change({ replicas: 3 });
    await bao.untilVoters();
    await untilCanary(bao);
  });
});
