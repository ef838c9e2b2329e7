// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';
import { ApiError, type StatusReason } from '@forge/kube/errors/api-error.ts';
import { logger, type LogEntry, type Logger } from '../logging/logger.ts';
import type { Random } from '../random/random.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { virtualClock, type VirtualClock } from '../testing/virtual-clock.ts';

/** An embedded API server on a virtual clock, and a client whose line to it the test controls. */
export interface TestCluster {
  clock: VirtualClock;
  random: Random;
  log: Logger;
  logged: LogEntry[];
  /** The line under test. */
  client: Client;
  /** Somebody else, whose line always works. */
  other: Client;
  /** What went over the line since `requests.length = 0`, as `PATCH /api/v1/…`; a watch is a `WATCH`. */
  requests: string[];
  /** Called before every request of the line; throws to refuse it. */
  intercept: (request: ApiRequest) => void | Promise<void>;
  /** Cuts every open watch, as a broken connection does. */
  breakWatches(): void;
  /** Watches, or those of one resource, tell nothing until the returned function is called. */
  holdWatches(resource?: string): () => void;
  close(): Promise<void>;
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Starts a cluster for one test. */
export async function testCluster(): Promise<TestCluster> {
  const clock = virtualClock();
  const random = seededRandom();
  const server = await apiServer({ clock, random, serviceAccounts: { signingKey } });
  const transport = inProcessTransport(server);
  const logged: LogEntry[] = [];
  const requests: string[] = [];
  const connections = new Set<(reason: Error) => void>();
  let held = { resource: '', released: Promise.resolve() };

  async function* breakable(events: AsyncIterable<unknown>, { path, signal }: ApiRequest): AsyncGenerator {
    const { promise: broken, reject } = Promise.withResolvers<never>();
    broken.catch(() => undefined);
    connections.add(reject);
    signal?.addEventListener('abort', () => reject(signal.reason));
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([broken, iterator.next()]);
        if (path.endsWith(held.resource)) await Promise.race([broken, held.released]);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      connections.delete(reject);
      await iterator.return?.();
    }
  }

  const line: Transport = {
    async request(request) {
      requests.push(`${request.method} ${request.path}`);
      await cluster.intercept(request);
      return await transport.request(request);
    },
    async stream(request) {
      requests.push(`WATCH ${request.path}`);
      await cluster.intercept(request);
      return breakable(await transport.stream(request), request);
    },
  };

  const cluster: TestCluster = {
    clock,
    random,
    log: logger({ clock, level: 'debug', write: (entry) => logged.push(entry) }),
    logged,
    client: client(line),
    other: client(transport),
    requests,
    intercept: () => undefined,
    breakWatches() {
      for (const cut of connections) cut(new Error('connection reset'));
    },
    holdWatches(resource = '') {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      held = { resource, released };
      return resolve;
    },
    close: () => server.close(),
  };
  return cluster;
}

/** A refusal as the API server would send it. */
export function refusal(code: number, reason: StatusReason, message: string): ApiError {
  return new ApiError({ apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason, message });
}
