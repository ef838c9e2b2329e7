// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ClusterRole, Secret } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { processesOf } from '@forge/testing/programs/pod-processes.ts';
import { secretLeaks } from '@forge/testing/programs/secret-leaks.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { containersOf } from './containers.ts';
import { liveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

const restore = /\/etc\/bao\/unseal\/key (from|of) a running pod/;

describe('the Secrets of real servers', () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('say when the unseal key is deleted or another one, which restarts nothing and is restored from a running pod', async () => {
    const { client } = cluster;
    const bao = await liveOpenBao(cluster, 'key');
    await bao.create();
    await bao.untilVoters();
    await storeCanary(bao);
    const secret = { namespace: bao.ref.namespace, name: bao.names.unsealKeySecret };
    const keyInPod = async () => {
      const [server = assert.fail('no server runs')] = await processesOf(bao.names.pod(1), 'bao');
      return await readFile(`/proc/${server.pid}/root/etc/bao/unseal/key`);
    };
    const provide = (key: Buffer) =>
      client.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: secret,
        data: { key: key.toString('base64') },
      });
    const containers = await containersOf(bao);

    await client.delete(Secret, secret);
    await bao.until('Degraded', 'True UnsealKeyMissing');
    await provide(Buffer.alloc(32, 7));
    assert.match(await bao.until('Degraded', 'True UnsealKeyMismatch'), restore);
    const key = await keyInPod();
    await client.delete(Secret, secret);
    await provide(key);
    await bao.untilVoters();

    await client.delete(Secret, secret);
    assert.match(await bao.until('Degraded', 'True UnsealKeyMissing'), restore);
    await bao.change({ replicas: 4 });
    await bao.until('Available', 'False NotReady: 3 of 4 pods are ready');
    assert.equal((await bao.pods()).length, 3);
    await provide(await keyInPod());
    await bao.untilVoters();
    await untilCanary(bao);
    const now = await containersOf(bao);
    for (const [pod, container] of containers) assert.equal(now.get(pod), container, pod);
  });

  test('are waited for before the initialisation, if the root token may not be stored', async () => {
    const { client } = cluster;
    const bao = await liveOpenBao(cluster, 'forbidden');
    await bao.create({ replicas: 1, image: 'openbao/openbao:mistyped' });
    const unsealKey = { namespace: bao.ref.namespace, name: bao.names.unsealKeySecret };
    await eventually('the other Secrets are there', () => client.find(Secret, unsealKey).then(Boolean));
    const role = { name: cluster.operator.name };
    const { rules = [] } = await client.get(ClusterRole, role);
    const withoutCreation = rules.map((rule) =>
      rule.resources?.includes('secrets') === true
        ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== 'create') }
        : rule,
    );
    await client.patch(ClusterRole, role, 'merge', { rules: withoutCreation });
    await bao.change({ image: null });
    await bao.until('OpenBaoInitialized', 'Secret forbidden-root-token was refused: Forbidden');
    const { body } = await bao.call(bao.names.pod(0), { path: 'sys/health' });
    assert.equal(body['initialized'], false);
    await client.patch(ClusterRole, role, 'merge', { rules });
    await bao.untilVoters();
    await storeCanary(bao);
  });

  test('stand nowhere else, whatever has happened: in no object, log, argument or metric', async () => {
    const searched = {
      ...cluster,
      kinds: [OpenBaoCluster],
      logs: join(cluster.folder, 'logs'),
      dial: (...target: Parameters<typeof cluster.node.dial>) => cluster.node.dial(...target),
    };
    assert.deepEqual(await secretLeaks(searched), []);
    // It looks everywhere: names that are no secret are found.
    const found = (await secretLeaks(searched, ['openbao-operator', 'openbaocluster'])).join('\n');
    for (const place of ['Pod forge-system/', 'log forge-system_', 'arguments of ', 'metrics of '])
      assert.ok(found.includes(place), `${place} is not among ${found}`);
  });
});
