// SPDX-License-Identifier: Apache-2.0
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import type { Cache } from '@forge/runtime/cache/cache.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import { benchServer } from './bench-server.ts';
import { timed } from './measure.ts';

const resync = seconds(1);

/** An operator whose resources are up to date. */
export interface Settled {
  /** Reconciles all of them this many times. */
  passes(times: number): Promise<Passes>;
  stop(): Promise<void>;
}

/** The cost of a reconcile. */
export interface Passes {
  /** Milliseconds of CPU time. */
  time: number;
  /** Cache reads and requests. */
  operations: number;
}

/** The parameters of a measurement. */
interface SettledOptions {
  /** Creates its resources. */
  create: (user: Client) => Promise<void>;
  controllers: readonly Controller[];
  /** Controllers of the cluster that its resources need to become ready; they are stopped during the measurement. */
  cluster?: (clock: Clock) => readonly Controller[];
  /** How long its resources take to be up to date. Default: 10 seconds of the virtual clock. */
  settleTime?: Duration;
}

/** The operator on its own server, once its resources are up to date. */
export async function settledOperator(options: SettledOptions): Promise<Settled> {
  const { create, controllers, cluster = () => [], settleTime = seconds(10) } = options;
  const clock = virtualClock();
  const { server, api: user } = await benchServer({ clock });
  await create(user);
  const tally = { passes: 0, operations: 0 };
  const line = inProcessTransport(server);
  const request: Transport['request'] = (asked) => {
    tally.operations += 1;
    return line.request(asked);
  };
  const log = logger({ clock, level: 'error', write: ({ message }) => console.error(message) });
  const running = manager({ client: client({ ...line, request }), clock, random: seededRandom(), log, resync });
  for (const each of controllers) running.add(counting(each, tally));
  // Retries until dependencies exist are not logged.
  const silent = logger({ clock, write: () => {} });
  const others = manager({ client: user, clock, random: seededRandom(), log: silent });
  for (const each of cluster(clock)) others.add(each);
  await Promise.all([running.start(), others.start()]);
  await clock.advance(settleTime);
  await others.stop();
  return {
    async passes(times) {
      Object.assign(tally, { passes: 0, operations: 0 });
      const work = await timed(threadTime, async () => {
        for (let time = 0; time < times; time += 1) await clock.advance(resync);
      });
      return { time: work / tally.passes, operations: tally.operations / tally.passes };
    },
    async stop() {
      await running.stop();
      await server.close();
    },
  };
}

/** The counts so far. */
interface Tally {
  passes: number;
  operations: number;
}

/** The controller, with its reconciles and cache reads counted. */
function counting(controller: Controller, tally: Tally): Controller {
  const counted = <R>(answer: R): R => {
    tally.operations += 1;
    return answer;
  };
  return {
    ...controller,
    reconcile(ref, { cache, ...context }) {
      tally.passes += 1;
      const asked: Cache = {
        get: (...what) => counted(cache.get(...what)),
        list: (...what) => counted(cache.list(...what)),
        metadataOnly: (...what) => counted(cache.metadataOnly(...what)),
        cacheContent: (...what) => counted(cache.cacheContent(...what)),
        applied: (...what) => counted(cache.applied(...what)),
        wasDeleted: (...what) => counted(cache.wasDeleted(...what)),
        isInstalled: (...what) => counted(cache.isInstalled(...what)),
      };
      return controller.reconcile(ref, { ...context, cache: asked });
    },
  };
}
