// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import type { ServerTls } from './server-process.ts';

type WithConditions = KubeObject & { status?: { conditions?: readonly Condition[] } };

/** The resources to create. */
interface NewResources {
  kind: Kind<WithConditions>;
  conditions: ConditionCatalog;
  /** Creates the shared objects of all resources, including their kind. */
  prepare: (api: Client) => Promise<unknown>;
  /** Controllers besides the operator. */
  controllers: readonly Controller[];
  /** Creates the resource of this number. */
  create: (api: Client, number: number) => Promise<unknown>;
}

/**
 * The program of an API server for an operator in another process: for each message, it creates that many resources and
 * responds when all are ready.
 */
export async function serveNew({ kind, conditions, prepare, controllers, create }: NewResources): Promise<void> {
  process.on('disconnect', () => process.exit());
  const [tls] = (await once(process, 'message')) as [ServerTls];
  const server = await apiServer({ clock, random });
  const api = client(inProcessTransport(server));
  await prepare(api);
  while ((await api.list(kind).catch(() => undefined)) === undefined) await setTimeout(10);
  const log = logger({ clock, level: 'error', write: (entry) => console.error(entry) });
  const running = manager({ client: api, clock, random, log });
  for (const controller of controllers) running.add(controller);
  await running.start();

  const isReady = ({ status }: WithConditions) => readinessOf(conditions, status?.conditions).status === 'True';
  let created = 0;
  const createReady = async (count: number) => {
    for (const end = created + count; created < end; created += 1) await create(api, created);
    while ((await api.list(kind)).items.some((resource) => !isReady(resource))) await setTimeout(50);
    process.send?.(created);
  };
  process.on('message', (wanted: { count: number }) => void createReady(wanted.count));
  const { port } = await serve(server, { port: 0, tls });
  process.send?.(port);
}
