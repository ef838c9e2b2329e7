// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { durableStorage } from '@forge/apiserver/storage/durable-storage.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { Deployment, Job, Pod, ReplicaSet, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { sleep, systemClock } from '@forge/runtime/environment/clock.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { longestBlock } from '@forge/testing/longest-block.ts';
import { startFakeNode } from '../../fake-node/fake-node.ts';
import { workloadControllers } from '../controllers.ts';
import { db, web, work } from './manifests.ts';

/** As for hostile requests to the API server. */
const limit = 100;
const attempts = 3;

/** The largest number that the fields take. */
const most = 2 ** 31 - 1;
/** Pods that are enough to see a second pass. */
const enough = 600;
const attackTime = milliseconds(5000);

/** Objects of an editor that want as many pods as can be written. */
const attacks: [string, (api: Client) => Promise<unknown>][] = [
  ['a StatefulSet', (api) => api.create(StatefulSet, db('v1', { replicas: most }))],
  [
    'a StatefulSet whose pods are managed in parallel',
    (api) => api.create(StatefulSet, db('v1', { replicas: most, podManagementPolicy: 'Parallel' })),
  ],
  ['a Deployment', (api) => api.create(Deployment, web('v1', { replicas: most }))],
  [
    'a ReplicaSet',
    (api) => {
      const { selector = {}, template = {} } = web('v1').spec ?? {};
      const metadata = { name: 'web', namespace: 'default' };
      const spec = { replicas: most, selector, template };
      return api.create(ReplicaSet, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec });
    },
  ],
  ['a Job', (api) => api.create(Job, work({ parallelism: most }))],
];

/** The longest block while the controllers of a new cluster work on an object, and the number of its pods. */
async function blockBy(attack: (api: Client) => Promise<unknown>): Promise<{ block: number; pods: number }> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'forge-hostile-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const environment = { clock: systemClock, random: systemRandom };
  // In one process with the controllers, and on a disk, as in `forge up`.
  const server = await apiServer({ ...environment, storage: await durableStorage(folder) });
  stack.defer(() => server.close());
  const api = client(inProcessTransport(server));
  const log = logger({ clock: systemClock, level: 'error', write: () => {} });
  const running = manager({ client: api, ...environment, log });
  for (const controller of workloadControllers()) running.add(controller);
  await running.start();
  stack.defer(() => running.stop());
  const node = await startFakeNode({ client: api, ...environment, log });
  stack.defer(() => node.stop());

  let pods = 0;
  const block = await longestBlock(async () => {
    await attack(api);
    const end = systemClock.now() + attackTime;
    while (pods < enough && systemClock.now() < end) {
      await sleep(systemClock, 200);
      pods = (await api.list(Pod)).items.length;
    }
  });
  return { block, pods };
}

describe('no workload holds the process that the API server shares with the controllers', () => {
  for (const [name, attack] of attacks) {
    test(`${name} of ${most} pods`, async () => {
      let best = Infinity;
      for (let attempt = 0; attempt < attempts && best >= limit; attempt += 1) {
        const { block, pods } = await blockBy(attack);
        assert.ok(pods > 0, 'its pods are created');
        best = Math.min(best, block);
      }
      assert.ok(best < limit, `It blocked the event loop for ${best.toFixed()} ms, the limit is ${limit} ms`);
    });
  }
});
