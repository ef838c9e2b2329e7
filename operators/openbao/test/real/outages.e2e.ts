// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { signalPod } from '@forge/testing/programs/pod-processes.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { containersOf } from './containers.ts';
import { liveOpenBao, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

describe('real servers that fail', { concurrency: true }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** Takes the disk of a pod away. */
  async function loseClaim(bao: LiveOpenBao, ordinal: number): Promise<void> {
    const { names, ref } = bao;
    const claim = { namespace: ref.namespace, name: names.claim(ordinal) };
    const pod = { namespace: ref.namespace, name: names.pod(ordinal) };
    const { metadata } = await cluster.client.get(PersistentVolumeClaim, claim);
    await cluster.client.delete(PersistentVolumeClaim, claim);
    await cluster.client.delete(Pod, pod);
    await eventually(`${claim.name} is a new one`, async () => {
      const found = await cluster.client.find(PersistentVolumeClaim, claim);
      return found !== undefined && found.metadata.uid !== metadata.uid;
    });
    await bao.untilVoters();
    await untilCanary(bao);
  }

  for (const [version, name] of [
    ['2.7.2', 'fails-272'],
    ['2.6.2', 'fails-262'],
  ] as const) {
    test(`recovers on ${version} from a killed leader, two, all, and the loss of the disk of a follower and of pod 0`, async () => {
      const bao = await liveOpenBao(cluster, name);
      const started = Date.now();
      const lap = (what: string) => console.log(`${version}: ${what} after ${Date.now() - started} ms`);
      await bao.create({ version });
      await bao.untilVoters();
      await storeCanary(bao);
      lap('ready');
      const token = await bao.rootToken();
      const leaderNow = () => eventually('a pod leads', async () => (await bao.get()).status?.activeLeader);
      const all = [0, 1, 2].map(bao.names.pod);

      await crash(bao, [await leaderNow()]);
      lap('leader killed');
      const leader = await leaderNow();
      await crash(bao, [leader, ...all.filter((pod) => pod !== leader).slice(0, 1)]);
      lap('two killed');
      await crash(bao, all);
      lap('all killed');
      const follower = all.findLastIndex((pod) => pod !== leader);
      await loseClaim(bao, follower);
      lap('claim of a follower lost');
      await loseClaim(bao, 0);
      lap('claim of pod 0 lost');
      assert.equal(await bao.rootToken(), token);
    });
  }
});

/** Ends some servers as a crash does, and waits until the others have taken over and they are back. */
async function crash(bao: LiveOpenBao, pods: readonly string[]): Promise<void> {
  const killed = await containersOf(bao);
  await Promise.all(pods.map((pod) => signalPod(pod, 'bao', 'SIGKILL')));
  await eventually(`${pods.join()} are started again`, async () => {
    const now = await containersOf(bao);
    return pods.every((pod) => now.get(pod) !== killed.get(pod) && now.get(pod)?.endsWith('none') === false);
  });
  await bao.untilVoters();
  await untilCanary(bao);
}
