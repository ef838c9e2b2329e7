// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { ImageStore } from '@forge/cluster/images/image-store.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { openbaoApi } from '../../clients/openbao-api.ts';
import { configHcl } from '../../objects/config/config-hcl.ts';
import { openbaoFixture } from '../openbao-fixture.ts';
import { configShapes } from './config-shapes.ts';
import { imageOf, prepareNamespace, serverName, startServer } from './server-pod.ts';

const versions = ['2.6.2', '2.7.2'];
const namespaceOf = (version: string) => `bao-${version.replaceAll('.', '-')}`;
const { signal } = new AbortController();

/** Milliseconds from the first boot to the end of the last one. */
const budget = 120_000;

describe('config.hcl on real servers', { concurrency: true, timeout: 600_000 }, () => {
  let cluster: ProcessCluster;
  let begin = 0;
  const authorities = new Map<string, string>();

  before(async () => {
    let images: ImageStore | undefined;
    cluster = await processCluster(undefined, (store) => (images = store));
    // Downloads do not count.
    for (const version of versions) await images?.ensure(imageOf(version));
    for (const version of versions) {
      authorities.set(version, await prepareNamespace(cluster, namespaceOf(version)));
    }
    begin = clock.now();
  });
  after(async () => {
    const taken = clock.now() - begin;
    await cluster[Symbol.asyncDispose]();
    assert.ok(taken <= budget, `the boots took ${(taken / 1000).toFixed(0)} s, of at most ${budget / 1000}`);
  });

  /** All that a server has printed. */
  async function logOf(namespace: string, name: string): Promise<string> {
    const files = await Array.fromAsync(glob(`${cluster.folder}/logs/**/*${namespace}*${name}*/**/*.log`));
    return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  }

  const addressOf = async (namespace: string, name: string) =>
    (await cluster.client.get(Pod, { namespace, name })).status?.podIP ?? '';

  for (const version of versions) {
    describe(version, { concurrency: false }, () => {
      const namespace = namespaceOf(version);
      for (const [name, { spec, inputs, answers }] of Object.entries(configShapes)) {
        test(`boots without a complaint: ${name}`, async () => {
          const config = configHcl(openbaoFixture({ ...spec, version }), inputs);
          await startServer(cluster, { namespace, name, version, config });
          const log = () => logOf(namespace, name);
          await eventually('the server has started or ended', async () => {
            const { status } = await cluster.client.get(Pod, { namespace, name });
            return status?.phase === 'Failed' || (await log()).includes('server started!');
          });
          assert.match(await log(), /server started!/);
          const api = openbaoApi((trust) =>
            httpClient({
              clock,
              dial: (...target) => cluster.node.dial(...target),
              ...trust,
            }),
          );
          if (answers) {
            const url = `https://${await addressOf(namespace, name)}:8200`;
            const ca = authorities.get(version) ?? '';
            const health = await eventually('it answers', () =>
              api.health({ url, ca, serverName }, signal).catch(() => undefined),
            );
            assert.deepEqual(health, { initialized: false, sealed: true, standby: true, version });
          }
          assert.doesNotMatch(await log(), /unknown or unsupported field|\[ERROR\].*config/);
          await cluster.client.delete(Pod, { namespace, name });
        });
      }
    });
  }
});
