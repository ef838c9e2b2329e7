// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { now } from '@forge/runtime/environment/duration.ts';
import type { VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger, terminalLine } from '@forge/runtime/observability/logger.ts';
import { restartable, type Restartable } from '@forge/testing/restartable.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import type { StandIn } from '../stand-in.ts';

interface Conditioned extends KubeObject {
  status?: { conditions?: { type: string; status: string; reason?: string; message?: string }[] };
}

/** An API server on a virtual clock with one running stand-in, which can be stopped and started again. */
export interface StandInCluster extends Restartable, AsyncDisposable {
  client: Client;
  clock: VirtualClock;
  /** The logged errors. */
  errors: readonly string[];
  /** The condition Ready as `True Reason: message`; undefined when the object or the condition does not exist. */
  ready<T extends Conditioned>(kind: Kind<T>, ref: ObjectRef): Promise<string | undefined>;
  /** Another condition, in the same form. */
  condition<T extends Conditioned>(type: string, kind: Kind<T>, ref: ObjectRef): Promise<string | undefined>;
}

/** Starts the cluster; `fakes` are controllers that simulate the stand-in's dependencies. */
export async function standInCluster(
  standIn: (clock: Clock) => StandIn,
  fakes: readonly Controller[] = [],
): Promise<StandInCluster> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await testCluster({ controllers: false }));
  const { client, clock, random } = cluster;
  for (const kind of standIn(clock).kinds) await client.create(CustomResourceDefinition, crdOf(kind));
  const errors: string[] = [];
  const log = logger({ clock, level: 'error', write: (entry) => void errors.push(terminalLine(entry)) });
  const running = restartable(clock, () => {
    const { controllers, backoff } = standIn(clock);
    const started = manager({ client, clock, random, log, resync: now, backoff });
    for (const controller of [...controllers, ...fakes]) started.add(controller);
    return started;
  });
  stack.defer(() => running.stop());
  await running.start();
  const owned = stack.move();
  const condition: StandInCluster['condition'] = async (type, kind, ref) => {
    const found = conditionOf((await client.find(kind, ref))?.status?.conditions, type);
    return found && `${found.status} ${found.reason}: ${found.message}`;
  };
  return {
    ...running,
    client,
    clock,
    errors,
    ready: (kind, ref) => condition('Ready', kind, ref),
    condition,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
