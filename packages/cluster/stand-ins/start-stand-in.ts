// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { now } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { isTrue } from '../objects/with-condition.ts';
import type { StandIn } from './stand-in.ts';

/** The dependencies of a stand-in. */
interface StandInContext {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** Installs the kinds of a stand-in and runs its controllers. */
export async function startStandIn(standIn: StandIn, context: StandInContext): Promise<AsyncDisposable> {
  await Promise.all(standIn.kinds.map((kind) => installKind(kind, context.client)));
  const running = manager({ ...context, resync: now, backoff: standIn.backoff });
  for (const controller of standIn.controllers) running.add(controller);
  await running.start();
  return { [Symbol.asyncDispose]: () => running.stop() };
}

/** Applies the CRD of a kind and waits until it is established. */
async function installKind(kind: Kind, client: Client): Promise<void> {
  const crd = crdOf(kind);
  await client.apply(CustomResourceDefinition, crd, { fieldManager: 'forge', force: true });
  await waitUntilEstablished(crd.metadata.name, client);
}

/** Waits until the API server serves the kind of a CRD. */
export async function waitUntilEstablished(name: string, client: Client): Promise<void> {
  const established = client.watch(CustomResourceDefinition, { fieldSelector: `metadata.name=${name}` });
  for await (const { object } of established) if (isTrue(object.status?.conditions, 'Established')) return;
  throw new Error(`CustomResourceDefinition ${name} was not established before the watch ended`);
}
