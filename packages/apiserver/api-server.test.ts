// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Deployment, Namespace, Pod } from '@forge/kube/builtin.ts';
import { client, type Client } from '@forge/kube/client.ts';
import { seededRandom } from '@forge/runtime/seeded-random.ts';
import { virtualClock } from '@forge/runtime/virtual-clock.ts';
import { apiServer } from './api-server.ts';
import { inProcessTransport } from './in-process-transport.ts';

async function start(): Promise<Client> {
  return client(inProcessTransport(await apiServer({ clock: virtualClock(), random: seededRandom() })));
}
test('smoke', async () => {
  const api = await start();
  console.log((await api.list(Namespace)).items.length);
  console.log(
    await api.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { x: 'y' },
    }),
  );
  const d = await api.apply(
    Deployment,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', namespace: 'default' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { name: undefined as unknown as string, labels: { a: 'b' } },
          spec: { containers: [{ name: 'x', image: 'foo' }] },
        },
      },
    } as Deployment,
    { fieldManager: 'me' },
  );
  console.log(JSON.stringify(d, null, 1));
});
