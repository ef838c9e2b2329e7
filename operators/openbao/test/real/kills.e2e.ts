// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { beginAgain } from './initialization.ts';
import { liveOpenBao, type LiveOpenBao } from './live-openbao.ts';
import { untilRemains } from './remains.ts';
import { startCluster } from './start-cluster.ts';

/** Each round kills the operator five times; `npm run e2e:long` has four. */
const rounds = Math.ceil(Number(process.env['FORGE_KILLS'] ?? '5') / 5);
const seed = Number(process.env['FORGE_E2E_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe('an operator that is killed', () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (let round = 0; round < rounds; round += 1) {
    test(`at five moments of seed ${seed + round}, from creation to deletion, loses nothing unsaid`, async () => {
      console.log(`FORGE_E2E_SEED=${seed} FORGE_KILLS=${rounds * 5}, round ${round}`);
      const random = seededRandom(seed + round);
      const kill = async (within: number) => {
        await setTimeout(random.number() * within);
        await cluster.killOperator();
      };
      const bao = await liveOpenBao(cluster, `killed${round}`);
      await bao.create({ deletionPolicy: 'DeletePVCs' });
      await kill(3000);
      await kill(10_000);
      const said = await initialisedOrLost(bao);
      console.log(`after two kills: ${said}`);
      if (said.includes('RootTokenLost')) await beginAgain(bao);
      await bao.until('OpenBaoInitialized', 'True Initialized: OpenBao is initialised');
      await kill(3000);
      await bao.untilVoters();
      await storeCanary(bao);
      const token = await bao.rootToken();
      await bao.change({ replicas: 4 });
      await kill(3000);
      await bao.untilVoters();
      await untilCanary(bao);
      assert.equal(await bao.rootToken(), token);

      await cluster.client.delete(OpenBaoCluster, bao.ref);
      await kill(1000);
      await untilRemains(bao, []);
    });
  }
});

/** Waits until a cluster is initialised, or says that its root token was lost. */
function initialisedOrLost(bao: LiveOpenBao): Promise<string> {
  return eventually(
    'it is initialised, or needs a person',
    async () => {
      const lost = await bao.condition('Degraded');
      if (lost.includes('RootTokenLost')) return lost;
      const initialised = await bao.condition('OpenBaoInitialized');
      return initialised.startsWith('True') && initialised;
    },
    { minutes: 3, observed: () => bao.get() },
  );
}
