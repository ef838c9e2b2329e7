// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '@forge/kube/client/client.ts';
import { Node } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { apiServer } from '../../api-server.ts';
import { inProcessTransport } from '../../wire/in-process-transport.ts';

test('a node cannot remove the labels that keep pods away from it', async (context) => {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
  context.after(() => server.close());
  const isolated = 'node-restriction.kubernetes.io/isolated';
  await client(inProcessTransport(server)).create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker', labels: { [isolated]: 'yes', 'example.com/own': 'yes' } },
  });
  const remove = async (label: string) => {
    const { status } = await server.handle({
      method: 'PATCH',
      path: '/api/v1/nodes/worker',
      query: {},
      headers: { 'content-type': 'application/merge-patch+json' },
      user: { name: 'system:node:worker', groups: ['system:nodes'] },
      body: { metadata: { labels: { [label]: null } } },
    });
    return status;
  };
  assert.equal(await remove(isolated), 403);
  assert.equal(await remove('example.com/own'), 200);
});
