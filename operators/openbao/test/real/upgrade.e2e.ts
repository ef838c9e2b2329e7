// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { forgeSeed } from './forge-seed.ts';
import { liveOpenBao, patience, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

const writesPerSecond = 5;
const longestPause = 5000;

describe('a real OpenBaoCluster whose pods are replaced', { timeout: 900_000 }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('loses no acknowledged write, and does not pause for long; a change and a correction reach all pods', async () => {
    const bao = await liveOpenBao(cluster, 'upgraded');
    await bao.create({ version: '2.6.2', replicas: 3, upgrade: { jwtAuthRole: 'upgrade' } });
    await bao.untilVoters();
    await storeCanary(bao);
    const { code, output } = await forgeSeed(bao, await bao.rootToken());
    assert.equal(code, 0, output);
    await bao.until('Degraded', /^False PrerequisitesReady: Everything that the pods need is there$/);

    const writing = startWriting(bao);
    const started = Date.now();
    await bao.change({ version: '2.7.2' });
    await bao.until('Upgrading', 'UpgradeComplete: All pods were upgraded from 2.6.2 to 2.7.2');
    console.log(`upgraded after ${Date.now() - started} ms`);
    const { acknowledged, pause } = await writing.stop();
    console.log(`${acknowledged.length} writes were acknowledged; the longest pause was ${pause} ms`);
    assert.ok(pause <= longestPause, `${pause} ms`);
    for (const { metadata } of await bao.pods()) {
      // The leader acknowledges what most servers have; the others follow.
      await eventually(
        `${metadata.name} has every acknowledged write`,
        async () => {
          const stored = await bao.keys(metadata.name);
          return acknowledged.every((key) => stored.has(key));
        },
        { ...patience, observed: async () => acknowledged.length },
      );
    }

    await bao.change({ config: { log_level: 'debug' } });
    await bao.until('Upgrading', 'UpgradeComplete: All pods were upgraded from 2.7.2 to 2.7.2');
    await bao.change({ image: 'openbao/openbao:2.7.2x' });
    await bao.until('Degraded', /PodNotReady: .*openbao\/openbao:2\.7\.2x/);
    assert.equal((await bao.get()).status?.readyReplicas, 2);
    await bao.change({ image: null });
    await eventually(
      'the correction has reached all pods',
      async () => {
        const images = new Set((await bao.pods()).map(({ spec }) => spec?.containers[0]?.image));
        return (await bao.get()).status?.upgrade === undefined && [...images].join() === 'openbao/openbao:2.7.2';
      },
      { ...patience, observed: () => bao.get() },
    );
    await untilCanary(bao);
    await bao.untilVoters();
  });
});

/** Writes words through the Service, each under its own key, whether earlier ones are answered or not. */
function startWriting(bao: LiveOpenBao) {
  const acknowledged: string[] = [];
  const writes: Promise<void>[] = [];
  let [last, pause] = [Date.now(), 0];
  const note = (): void => {
    pause = Math.max(pause, Date.now() - last);
    last = Date.now();
  };
  const timer = setInterval(() => {
    const key = `written-${writes.length}`;
    const written = () => {
      acknowledged.push(key);
      note();
    };
    writes.push(bao.write(key, 'word').then(written, () => undefined));
  }, 1000 / writesPerSecond);
  return {
    /** Ends it; resolves with the keys of what was acknowledged, and the longest time without. */
    async stop() {
      clearInterval(timer);
      note();
      await Promise.all(writes);
      return { acknowledged, pause };
    },
  };
}
