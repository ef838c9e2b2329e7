// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { forgeSeed } from './forge-seed.ts';
import { liveOpenBao, patience, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

describe('a real OpenBaoCluster whose size changes', { timeout: 900_000 }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** The uids of its claims, by their names. */
  async function claimsOf({ ref }: LiveOpenBao): Promise<Map<string, string | undefined>> {
    const { items } = await cluster.client.list(PersistentVolumeClaim, { namespace: ref.namespace });
    return new Map(items.map(({ metadata }) => [metadata.name, metadata.uid]));
  }

  /** Asks for another size, and waits until all servers vote, and no others and no other claims are left. */
  async function resize(bao: LiveOpenBao, replicas: number): Promise<void> {
    const started = Date.now();
    await bao.change({ replicas });
    await eventually(
      `${replicas} pods and claims are there`,
      async () => (await bao.pods()).length === replicas && (await claimsOf(bao)).size === replicas,
      { ...patience, observed: () => bao.get() },
    );
    await bao.untilVoters();
    console.log(`${replicas} servers vote after ${Date.now() - started} ms`);
  }

  test('from 3 to 5, 3 and 5 under the role of forge seed answers no read with an old secret, from any pod', async () => {
    const bao = await liveOpenBao(cluster, 'scales');
    await bao.create({ replicas: 3, upgrade: { jwtAuthRole: 'upgrade' } });
    await bao.untilVoters();
    await storeCanary(bao);
    await bao.until('Degraded', /Raft membership unknown: cannot log in with role upgrade: /);
    await bao.change({ replicas: 2 });
    await bao.until(
      'Degraded',
      /^True ScaleDownHeld: 3 pods stay although spec.replicas is 2: cannot log in with role/,
    );
    await bao.change({ replicas: 3 });
    const { code, output } = await forgeSeed(bao, await bao.rootToken());
    assert.equal(code, 0, output);
    await bao.until('Degraded', /^False PrerequisitesReady: Everything that the pods need is there$/);

    await resize(bao, 5);
    await bao.write('changed', 'before');
    const five = await claimsOf(bao);
    await resize(bao, 3);
    await bao.write('changed', 'after');
    await resize(bao, 5);
    await untilCanary(bao);
    for (const { metadata } of await bao.pods())
      assert.equal(await bao.read('changed', metadata.name), 'after', metadata.name);
    const again = await claimsOf(bao);
    for (const ordinal of [0, 1, 2, 3, 4]) {
      const name = bao.names.claim(ordinal);
      assert.equal(again.get(name) === five.get(name), ordinal < 3, name);
    }
    assert.match(await bao.condition('Available'), /^True/);
  });
});
