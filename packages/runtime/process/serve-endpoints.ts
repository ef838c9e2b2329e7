// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import { followCertificate, tlsOptions } from '../certificates/follow-certificate.ts';
import type { Logger } from '../observability/logger.ts';
import type { Address } from './flag.ts';
import type { Authorize } from './metrics-access.ts';

// Imported as a module, it would load Node's fetch as well: a sixth of an operator's start.
const http = process.getBuiltinModule('node:http');

/** Serves a path: a text, and whether it is healthy. */
export type Endpoint = () => Promise<{ ok: boolean; text: string; contentType?: string }>;

/** How access to the endpoints is restricted. */
export interface EndpointSecurity {
  certificate: CertificateSource;
  authorize: Authorize;
  log: Logger;
}

/** A server for probes and metrics. */
export interface Endpoints extends AsyncDisposable {
  /** Its port; undefined when it does not listen. */
  readonly port: number | undefined;
}

/** Serves GET on these paths: 200, or 503 when unhealthy; when secured, over HTTPS and only to authorized callers. */
export async function serveEndpoints(
  where: Address,
  endpoints: Readonly<Record<string, Endpoint>>,
  security?: EndpointSecurity,
): Promise<Endpoints> {
  if (where === undefined) return { port: undefined, [Symbol.asyncDispose]: async () => {} };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (endpoint === undefined) return void response.writeHead(404).end('404 page not found\n');
    const { method = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405).end();
    const { authorization } = request.headers;
    const refusal = await security?.authorize({ method, path, authorization, signal: closing(response) });
    if (refusal !== undefined) return void response.writeHead(refusal.status).end(`${refusal.text}\n`);
    const { ok, text, contentType = 'text/plain; charset=utf-8' } = await endpoint();
    response.writeHead(ok ? 200 : 503, { 'content-type': contentType }).end(text);
  }

  const server = createServer(security, (request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
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

function createServer(
  security: EndpointSecurity | undefined,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  if (security === undefined) return http.createServer(handler);
  const { certificate, log } = security;
  const server = process.getBuiltinModule('node:https').createServer(tlsOptions(certificate), handler);
  followCertificate(server, certificate, log);
  return server;
}

/** Aborts when the client is gone. */
function closing(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
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
