// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from './flag.ts';

// Imported as a module, it would load Node's fetch as well: a sixth of an operator's start.
const { createServer } = process.getBuiltinModule('node:http');

/** Serves a path: a text, and whether it is healthy. */
export type Endpoint = () => Promise<{ ok: boolean; text: string; contentType?: string }>;

/** A plain HTTP server for probes and metrics. */
export interface Endpoints extends AsyncDisposable {
  /** Its port; undefined when it does not listen. */
  readonly port: number | undefined;
}

/** Serves GET on these paths: 200, or 503 when unhealthy. */
export async function serveEndpoints(
  where: Address,
  endpoints: Readonly<Record<string, Endpoint>>,
): Promise<Endpoints> {
  if (where === undefined) return { port: undefined, [Symbol.asyncDispose]: async () => {} };
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (endpoint === undefined) return void response.writeHead(404).end('404 page not found\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    endpoint().then(
      ({ ok, text, contentType = 'text/plain; charset=utf-8' }) =>
        response.writeHead(ok ? 200 : 503, { 'content-type': contentType }).end(text),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await listen(server, where);
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, where: NonNullable<Address>): Promise<void> {
  try {
    await once(server.listen(where), 'listening');
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `Cannot listen on ${where.host ?? ''}:${where.port} (${message}); choose another port with the flag for this address, see --help`,
      { cause: error },
    );
  }
}
