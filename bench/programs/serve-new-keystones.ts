// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { logger } from '@forge/runtime/logging/logger.ts';
import { systemRandom as random } from '@forge/runtime/random/random.ts';
import { systemClock as clock } from '@forge/runtime/time/clock.ts';
import type { ServerTls } from '../harness/server-process.ts';
import { createKeystone, isReady } from './create-keystone.ts';
import { instantControllers } from './instant-controllers.ts';

// An API server for an operator in another process: for each message it creates that many Keystones, and answers when all
// are ready.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const namespace = 'openstack';
const server = await apiServer({ clock, random });
const api = client(inProcessTransport(server));
await api.create(CustomResourceDefinition, crdOf(Keystone));
while ((await api.list(Keystone).catch(() => undefined)) === undefined) await setTimeout(10);
await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
const log = logger({ clock, level: 'error', write: (entry) => console.error(entry) });
const running = manager({ client: api, clock, random, log });
for (const controller of instantControllers()) running.add(controller);
await running.start();
let created = 0;
process.on('message', (wanted: { count: number }) => void createReady(wanted.count));
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);

async function createReady(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    await createKeystone(api, { namespace, name: `identity-${created}` });
    created += 1;
  }
  while ((await api.list(Keystone)).items.some((keystone) => !isReady(keystone))) await setTimeout(50);
  process.send?.(created);
}
