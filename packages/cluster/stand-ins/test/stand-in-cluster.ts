// SPDX-License-Identifier: Apache-2.0
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { logger, terminalLine } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { now, seconds } from '@forge/runtime/time/duration.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import type { StandIn } from '../stand-in.ts';

interface Conditioned extends KubeObject {
  status?: { conditions?: { type: string; status: string; reason?: string; message?: string }[] };
}

/** An API server on a virtual clock with one stand-in at work. */
export interface StandInCluster extends AsyncDisposable {
  client: Client;
  clock: VirtualClock;
  /** What was logged as an error. */
  errors: readonly string[];
  /** Ready as `True Reason: message`; undefined when the object or the condition is not there. */
  ready<T extends Conditioned>(kind: Kind<T>, ref: ObjectRef): Promise<string | undefined>;
  /** Another condition, written the same way. */
  condition<T extends Conditioned>(type: string, kind: Kind<T>, ref: ObjectRef): Promise<string | undefined>;
  /** Ends the stand-in's process. */
  stop(): Promise<void>;
  /** Starts it again, without anything that it remembered. */
  start(): Promise<void>;
}

/** Starts it; `fakes` are controllers that simulate what the stand-in acts on. */
export async function standInCluster(
  standIn: (clock: Clock) => StandIn,
  fakes: readonly Controller[] = [],
): Promise<StandInCluster> {
  await using stack = new AsyncDisposableStack();
  const clock = virtualClock();
  const random = seededRandom();
  const server = await apiServer({ clock, random });
  stack.defer(() => server.close());
  const api = client(inProcessTransport(server));
  for (const kind of standIn(clock).kinds) await api.create(CustomResourceDefinition, crdOf(kind));
  const errors: string[] = [];
  const log = logger({ clock, level: 'error', write: (entry) => void errors.push(terminalLine(entry)) });
  const stops: (() => Promise<void>)[] = [];
  // What is under way ends in its time, or is cut off.
  const stop = async () => {
    const ended = stops.splice(0).map((each) => each());
    if (ended.length > 0) await clock.advance(seconds(20));
    await Promise.all(ended);
  };
  stack.defer(stop);

  async function start(): Promise<void> {
    const { controllers, backoff } = standIn(clock);
    const running = manager({ client: api, clock, random, log, resync: now, backoff });
    for (const controller of [...controllers, ...fakes]) running.add(controller);
    await running.start();
    stops.push(() => running.stop());
  }
  await start();
  const owned = stack.move();
  const condition: StandInCluster['condition'] = async (type, kind, ref) => {
    const found = conditionOf((await api.find(kind, ref))?.status?.conditions, type);
    return found && `${found.status} ${found.reason}: ${found.message}`;
  };
  return {
    client: api,
    clock,
    errors,
    ready: (kind, ref) => condition('Ready', kind, ref),
    condition,
    stop,
    start,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
