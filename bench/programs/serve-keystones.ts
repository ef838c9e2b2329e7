// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { createKeystone, isReady } from '../harness/create-keystone.ts';
import { instantControllers } from '../harness/instant-controllers.ts';
import type { ServerTls } from '../harness/server-process.ts';
import { healthyKeystones } from './healthy-keystones.ts';

// An API server with this many ready Keystones and all their objects, for an operator in another process, and one
// unrelated Secret for each.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const count = Number(process.argv[2]);
const namespace = 'openstack';
const server = await apiServer({ clock, random });
const api = client(inProcessTransport(server));
await api.create(CustomResourceDefinition, crdOf(Keystone));
while ((await api.list(Keystone).catch(() => undefined)) === undefined) await setTimeout(10);
await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
for (let each = 0; each < count; each += 1) await createKeystone(api, { namespace, name: `identity-${each}` });

const log = logger({ clock, level: 'error', write: (entry) => console.error(entry) });
const running = manager({ client: api, clock, random, log });
for (const controller of [...healthyKeystones(), ...instantControllers()]) running.add(controller);
await running.start();
while ((await api.list(Keystone)).items.some((keystone) => !isReady(keystone))) await setTimeout(100);
await running.stop();
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);
