// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse as HttpResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { jsonPayload } from './payload.ts';
import { refusal } from './refusal.ts';
import { sendResponse } from './send-response.ts';
import type { Handle, ServerRequest, ServerResponse, User } from './server-request.ts';

/** Where and how an API server is reached. */
export interface ServeOptions {
  /** 127.0.0.1 unless given. */
  host?: string;
  /** 0 takes a free one. */
  port: number;
  /** Also listen on this unix socket, for its owner only. */
  socketPath?: string;
  /** PEM: what the server shows, and the authority whose client certificates it believes. */
  tls: { cert: string; key: string; clientCa: string };
  /**
   * Milliseconds a caller may take nothing of what it is sent before it is dropped; 30 seconds unless given. A watcher so
   * dropped goes on where it was.
   */
  patience?: number;
}

/** A server that listens. */
export interface Listening {
  port: number;
  close(): Promise<void>;
}

/** Serves the API over HTTPS; who has a client certificate of the authority is the user it names. */
export async function serve(server: { handle: Handle }, options: ServeOptions): Promise<Listening> {
  const { patience = 30_000, tls } = options;
  const { cert, key, clientCa } = tls;
  const listen = async (address: { host: string; port: number } | { path: string }): Promise<Server> => {
    const https = createServer(
      { cert, key, ca: clientCa, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.2' },
      (request, response) => {
        void answer(server, request, response, patience);
      },
    );
    // Watches stay open for as long as their callers want.
    https.requestTimeout = 0;
    https.listen(address);
    await once(https, 'listening');
    return https;
  };
  const main = await listen({ host: options.host ?? '127.0.0.1', port: options.port });
  const servers = [main];
  if (options.socketPath !== undefined) {
    await rm(options.socketPath, { force: true });
    servers.push(await listen({ path: options.socketPath }));
    await chmod(options.socketPath, 0o600);
  }
  return {
    port: (main.address() as AddressInfo).port,
    async close() {
      const closed = servers.map((https) => new Promise((resolve) => https.close(resolve)));
      for (const https of servers) https.closeAllConnections();
      await Promise.all(closed);
    },
  };
}

async function answer(
  server: { handle: Handle },
  request: IncomingMessage,
  response: HttpResponse,
  patience: number,
): Promise<void> {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  try {
    const body = await readBody(request);
    const result = body === undefined ? tooLarge : await server.handle(serverRequest(request, body, abort.signal));
    await sendResponse(result, response, abort.signal, patience);
  } catch {
    // The caller has gone, or the answer broke off in the middle: what is left is to let go of the connection.
    response.destroy();
  }
}

function serverRequest(request: IncomingMessage, body: Uint8Array, signal: AbortSignal): ServerRequest {
  const url = new URL(request.url ?? '/', 'https://localhost');
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(body.length > 0 && { body }),
    user: userOf(request.socket as TLSSocket),
    signal,
  };
}

/** The user a client certificate names: its common name, its organizations as groups. */
function userOf(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const { CN, O } = socket.getPeerCertificate().subject as { CN?: string; O?: string | string[] };
  if (CN === undefined) return undefined;
  return { name: CN, groups: [...[O ?? []].flat(), 'system:authenticated'] };
}

const maximumBody = 3 * 1024 * 1024;

const tooLarge: ServerResponse = {
  status: 413,
  payload: jsonPayload(
    refusal(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maximumBody}`).status,
  ),
};

/** The whole body; undefined when it is larger than any object may be. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= maximumBody) chunks.push(chunk);
  }
  return size > maximumBody ? undefined : Buffer.concat(chunks);
}
