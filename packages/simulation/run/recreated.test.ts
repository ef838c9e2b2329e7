// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { ProcessContext, Scenario } from '../scenario/scenario.ts';
import { simulation } from './simulation.ts';

const ref = { namespace: 'default', name: 'receipt' };
const receipt: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };

/** A process that notes the number of a coin; after an error it makes the ConfigMap anew, with another coin. */
function scenario(comparability: Pick<Scenario, 'history' | 'recreatedAfterOutage'>): Scenario {
  return {
    newRun() {
      let minted = 0;
      async function start({ client, outside }: ProcessContext): Promise<void> {
        if ((await client.find(ConfigMap, ref)) !== undefined) return;
        const mint = () => outside('the mint', () => (minted += 1)).catch(() => undefined);
        await client.create(ConfigMap, receipt);
        let coin = await mint();
        if (coin === undefined) {
          await client.delete(ConfigMap, ref);
          await client.create(ConfigMap, receipt);
          coin = await mint();
        }
        await client.patch(ConfigMap, ref, 'merge', { data: { coin: String(coin) } });
      }
      return { processes: [{ name: 'minting', start }], steps: [] };
    },
    ...comparability,
  };
}

async function violationsOf(tried: Scenario): Promise<readonly string[]> {
  const coins = await simulation(tried);
  const { violations } = await coins.replay({ seed: 1, faults: [{ process: 'minting', at: 1, fault: 'lost-reply' }] });
  return violations;
}

const key = 'configmaps/default/receipt';
const otherCoin = `${key}.data.coin is "2", and "1" in the baseline run`;

describe('an object that is recreated because a reply was lost', () => {
  const recreatedAfterOutage = /^configmaps\//;

  test('may differ in fields that record earlier states', async () => {
    assert.deepEqual(await violationsOf(scenario({ history: /^coin$/, recreatedAfterOutage })), []);
  });

  test('may not differ in others', async () => {
    assert.deepEqual(await violationsOf(scenario({ recreatedAfterOutage })), [otherCoin]);
  });

  test('is reported when nothing says that it may be recreated', async () => {
    const repeated = ['ADDED', 'DELETED'].map(
      (type, before) => `${type} ${key} happened ${2 - before} times, and ${1 - before} times in the baseline run`,
    );
    assert.deepEqual(await violationsOf(scenario({ history: /^coin$/ })), [otherCoin, ...repeated]);
  });
});
