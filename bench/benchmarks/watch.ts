// SPDX-License-Identifier: Apache-2.0
import type { TLSSocket } from 'node:tls';
import type { Figure } from '../harness/figure.ts';
import { connected, requestBytes } from '../harness/load.ts';
import { concurrently } from '../harness/measure.ts';
import {
  benchCertificates,
  type ClientTls,
  startServerProcess,
  type ServerProcess,
} from '../harness/server-process.ts';
import type { EventsCost } from '../programs/serve-events.ts';

const rounds = 8;
const few = 10;
const many = 1000;
const burst = 50;

/** The server's cost of sending an event to few and many watches of one resource over HTTPS. */
export async function watch(): Promise<Figure[]> {
  const { server: tls, client } = benchCertificates();
  const server = await startServerProcess(new URL('../programs/serve-events.ts', import.meta.url), tls);
  try {
    const toFew = await openWatchers(server, client, 'secrets', few);
    const toMany = await openWatchers(server, client, 'persistentvolumeclaims', many);
    const samples = [];
    for (let round = 0; round <= rounds; round += 1) {
      let fewWork = 0;
      // As many deliveries as with many watchers, so that both are comparable.
      for (let event = 0; event < many / few; event += 1) fewWork += (await toFew.emit(1)).work;
      const { work } = await toMany.emit(1);
      const start = performance.now();
      const inBurst = await toMany.emit(burst);
      const rate = (many * burst) / (performance.now() - start);
      const { block } = await toMany.emit(burst, true);
      samples.push({
        few: fewWork / many,
        many: work / many,
        burst: inBurst.work / (many * burst),
        rate: rate * 1000,
        block,
      });
    }
    toFew.close();
    toMany.close();
    return figures(samples);
  } finally {
    await server.stop();
  }
}

interface Sample {
  /** Milliseconds of CPU time per delivery. */
  few: number;
  many: number;
  burst: number;
  /** Deliveries per second. */
  rate: number;
  block: number;
}

function figures(samples: readonly Sample[]): Figure[] {
  // The first round is a warm-up, but it must not block the server either.
  const of = (pick: (sample: Sample) => number): number[] => samples.slice(1).map(pick);
  return [
    { what: `send an event to one of ${few} watchers`, samples: of((sample) => sample.few * 1000), unit: 'µs' },
    { what: `send an event to one of ${many} watchers`, samples: of((sample) => sample.many * 1000), unit: 'µs' },
    {
      what: 'one of many against one of few',
      samples: of((sample) => sample.many / sample.few),
      unit: '×',
      goal: { atMost: 2.2 },
    },
    {
      what: `send one of many events to one of ${many} watchers`,
      samples: of((sample) => sample.burst * 1000),
      unit: 'µs',
    },
    {
      what: `deliveries in bursts of ${burst} events`,
      samples: of(({ rate }) => rate),
      unit: '/s',
      goal: { atLeast: 150_000 },
    },
    {
      what: 'longest block by a burst',
      samples: samples.map(({ block }) => block),
      statistic: 'max',
      unit: 'ms',
      goal: { atMost: 50 },
    },
  ];
}

/** Watchers of one resource. */
interface Watchers {
  /** Makes the server emit events, and waits until every watcher has received all of them. */
  emit(count: number, findBlocks?: boolean): Promise<EventsCost>;
  close(): void;
}

async function openWatchers(server: ServerProcess, tls: ClientTls, resource: string, size: number): Promise<Watchers> {
  const watchers: Watcher[] = [];
  await concurrently(size, 20, async () => watchers.push(await watcher(server.port, tls, resource)));
  return {
    async emit(count, findBlocks = false) {
      const received = Promise.all(watchers.map((each) => each.receive(count)));
      server.send({ resource, count, findBlocks });
      await received;
      const cost = server.next<EventsCost>();
      server.send('delivered');
      return cost;
    },
    close() {
      for (const each of watchers) each.socket.destroy();
    },
  };
}

interface Watcher {
  socket: TLSSocket;
  /** Resolves when this many more events have arrived. */
  receive(count: number): Promise<void>;
}

/** A watcher that only counts events. */
async function watcher(port: number, tls: ClientTls, resource: string): Promise<Watcher> {
  const socket = await connected(port, tls);
  const opened = Promise.withResolvers<void>();
  let missing = 0;
  let allReceived = opened;
  let last: number | undefined;
  socket.on('data', (chunk: Buffer) => {
    opened.resolve();
    // An event ends with a line feed; HTTP chunk lines end with a carriage return as well.
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, at + 1)) {
      if ((at === 0 ? last : chunk[at - 1]) !== carriageReturn) missing -= 1;
    }
    last = chunk.at(-1);
    if (missing === 0) allReceived.resolve();
  });
  socket.write(requestBytes('GET', `/api/v1/namespaces/default/${resource}?watch=true`));
  await opened.promise;
  return {
    socket,
    receive(count) {
      missing = count;
      allReceived = Promise.withResolvers();
      return allReceived.promise;
    },
  };
}

const lineEnd = 0x0a;
const carriageReturn = 0x0d;
