// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { liveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

describe('an OpenBaoCluster with real servers', { concurrency: true }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (const version of ['2.7.2', '2.6.2']) {
    test(`of version ${version} becomes three voters from nothing, then five under writes`, async () => {
      const bao = await liveOpenBao(cluster, `bao-${version.replaceAll('.', '-')}`);
      const started = Date.now();
      const lap = (what: string) => console.log(`${version}: ${what} after ${Date.now() - started} ms`);
      await bao.create({ version });
      await bao.until('OpenBaoInitialized', 'True Initialized');
      lap('initialised');
      await bao.untilSettled();
      lap('settled');
      await bao.untilVoters();
      lap('three voters');
      await storeCanary(bao);
      lap('a secret is read from every pod');

      const enough = new AbortController();
      const words: string[] = [];
      const writing = (async () => {
        while (!enough.signal.aborted) {
          const word = `word-${words.length}`;
          await bao.write(word, 'kept');
          words.push(word);
        }
      })();
      await bao.change({ replicas: 5 });
      await bao.untilVoters();
      lap('five voters');
      enough.abort();
      await writing;
      console.log(`${version}: ${words.length} words written meanwhile`);
      await untilCanary(bao);
      assert.ok(words.length > 10);
      for (const { metadata } of await bao.pods()) {
        await eventually(`${metadata.name} has all words`, async () => {
          const keys = await bao.keys(metadata.name);
          return words.every((word) => keys.has(word));
        });
      }
      lap('all words are read from every pod');
    });
  }
});
