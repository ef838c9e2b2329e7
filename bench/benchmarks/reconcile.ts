// SPDX-License-Identifier: Apache-2.0
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Cache } from '@forge/runtime/cache/cache.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { logger } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { Certificate, Theme, Website, websitesOperator } from '@forge/websites/websites.ts';
import { benchServer } from '../harness/bench-server.ts';
import type { Figure } from '../harness/figure.ts';
import { median, rates, ratios, threadTime, timed } from '../harness/measure.ts';

const few = 10;
const many = 5000;
const rounds = 9;
const resync = seconds(1);
const namespace = 'default';

/** No-op reconciles of the sample operator, with few resources and with many in the cluster. */
export async function reconcile(): Promise<Figure[]> {
  const [ofFew, ofMany] = [await settledOperator(few), await settledOperator(many)];
  const samples: { few: Passes; many: Passes }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    samples.push({ few: await ofFew.passes(many / few), many: await ofMany.passes(1) });
  }
  await Promise.all([ofFew.stop(), ofMany.stop()]);
  // The first round warms up.
  const counted = samples.slice(1);
  const manyTimes = counted.map((sample) => sample.many.time);
  const operations = counted.map((sample) => sample.many.operations - sample.few.operations);
  return [
    {
      what: `passes without a change, of ${many.toLocaleString('en-US')} resources`,
      samples: rates(1, manyTimes),
      unit: '/s',
      goal: { atLeast: 10_000 },
      ratio: `a pass makes ${median(counted.map((sample) => sample.many.operations))} operations on the cache`,
    },
    {
      what: `more operations a pass than of ${few} resources`,
      samples: operations,
      statistic: 'max',
      unit: '',
      goal: { atMost: 0 },
    },
    {
      what: `time of a pass, against ${few} resources`,
      samples: ratios(
        manyTimes,
        counted.map((sample) => sample.few.time),
      ),
      unit: '×',
      goal: { atMost: 1.25 },
    },
  ];
}

/** An operator whose resources are up to date. */
interface Settled {
  /** Reconciles all of them this many times. */
  passes(times: number): Promise<Passes>;
  stop(): Promise<void>;
}

/** The cost of a reconcile. */
interface Passes {
  /** Milliseconds of CPU time. */
  time: number;
  /** Cache reads and requests. */
  operations: number;
}

/** The operator on its own server, with this many up-to-date resources. */
async function settledOperator(count: number): Promise<Settled> {
  const clock = virtualClock();
  const { server, api: user } = await benchServer({ clock });
  for (const kind of [Website, Theme, Certificate]) await user.create(CustomResourceDefinition, crdOf(kind));
  await user.create(Theme, { ...typeOf(Theme), metadata: { namespace, name: 'plain' }, spec: { color: 'red' } });
  for (let index = 0; index < count; index += 1) {
    const metadata = { namespace, name: `site-${index}` };
    await user.create(Website, { ...typeOf(Website), metadata, spec: { theme: 'plain', text: `Site ${index}` } });
  }
  const tally = { passes: 0, operations: 0 };
  const line = inProcessTransport(server);
  const request: Transport['request'] = (asked) => {
    tally.operations += 1;
    return line.request(asked);
  };
  const running = manager({
    client: client({ ...line, request }),
    clock,
    random: seededRandom(),
    log: logger({ clock, level: 'warn', write: ({ message }) => console.error(message) }),
    resync,
  });
  for (const each of websitesOperator({ farewell: async () => {} }).controllers()) running.add(counting(each, tally));
  await running.start();
  await clock.advance(seconds(10));
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

function typeOf<K extends { apiVersion: string; kind: string }>(kind: K): Pick<K, 'apiVersion' | 'kind'> {
  return { apiVersion: kind.apiVersion, kind: kind.kind };
}
