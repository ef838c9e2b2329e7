// SPDX-License-Identifier: Apache-2.0
import { client, type Client } from '@forge/kube/client/client.ts';
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';

/** The connection of what is tested: a test can record, refuse, break and delay what goes over it. */
export interface TestConnection {
  readonly client: Client;
  /** The requests since `requests.length = 0`, as `PATCH /api/v1/…`; a watch is a `WATCH`. */
  readonly requests: string[];
  /** Called before every request; throws to refuse it. */
  intercept: (request: ApiRequest) => void | Promise<void>;
  /** Ends every open watch, as a broken connection does. */
  breakWatches(): void;
  /** Holds back the events of watches, or of those of one resource, until the returned function is called. */
  holdWatches(resource?: string): () => void;
}

/** A connection over this transport. */
export function testConnection(transport: Transport): TestConnection {
  const requests: string[] = [];
  const watches = new Set<(reason: Error) => void>();
  let held = { resource: '', released: Promise.resolve() };

  async function* breakable(events: AsyncIterable<unknown>, { path, signal }: ApiRequest): AsyncGenerator {
    const { promise: broken, reject } = Promise.withResolvers<never>();
    broken.catch(() => undefined);
    watches.add(reject);
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
      watches.delete(reject);
      await iterator.return?.();
    }
  }

  const connection: TestConnection = {
    client: client({
      async request(request) {
        requests.push(`${request.method} ${request.path}`);
        await connection.intercept(request);
        return await transport.request(request);
      },
      async stream(request) {
        requests.push(`WATCH ${request.path}`);
        await connection.intercept(request);
        return breakable(await transport.stream(request), request);
      },
    }),
    requests,
    intercept: () => undefined,
    breakWatches() {
      for (const end of watches) end(new Error('connection reset'));
    },
    holdWatches(resource = '') {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      held = { resource, released };
      return resolve;
    },
  };
  return connection;
}
