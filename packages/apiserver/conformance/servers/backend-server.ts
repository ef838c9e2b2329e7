// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';

/** Where the pods of cases serve: loopback addresses are not valid endpoints. */
export const backendAddress = { host: '192.0.2.1', http: 8080, https: 8443 };

/** The server behind the Services of cases. */
export interface BackendServer {
  /** The ports on which it listens, by the ports of `backendAddress`. */
  readonly ports: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

/** Headers that depend on the client. */
const unrecorded = new Set(['host', 'accept-encoding', 'connection', 'content-length']);

/** Starts the server at the address that pods have, or on free ports of loopback. */
async function startBackendServer(at: 'pod address' | 'loopback'): Promise<BackendServer> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'backend', ...validity });
  const serving = issueServerCertificate(authority, { names: ['backend'], addresses: [], ...validity });
  const servers: readonly [number, Server][] = [
    [backendAddress.http, createServer((request, response) => void respond(request, response))],
    [backendAddress.https, createHttpsServer(serving, (request, response) => void respond(request, response))],
  ];
  for (const [port, server] of servers) {
    if (at === 'loopback') server.listen(0, '127.0.0.1');
    else server.listen(port, backendAddress.host);
    await once(server, 'listening');
  }
  return {
    ports: new Map(servers.map(([port, server]) => [port, (server.address() as AddressInfo).port])),
    async close() {
      for (const [, server] of servers) {
        (server as ReturnType<typeof createServer>).closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** Handles `/status/<code>`, `/redirect/<location>` and `/hang-up`; echoes the request on any other path. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { method, url = '' } = request;
  const [, action, rest = ''] = /^\/([^/?]*)\/?(.*)$/s.exec(url) ?? [];
  if (action === 'hang-up') return void request.socket.destroy();
  if (action === 'status') {
    return void response.writeHead(Number(rest), { 'content-type': 'application/json' }).end(`{"code":${rest}}`);
  }
  if (action === 'redirect')
    return void response.writeHead(302, { location: decodeURIComponent(decodeURIComponent(rest)) }).end();
  if (action === 'text') {
    return void response.writeHead(200, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end('hi');
  }
  const headers = Object.entries(request.headers).filter(([name]) => !unrecorded.has(name));
  const received = { method, url, headers: Object.fromEntries(headers), body };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received));
}

/** A backend server that starts on first use. */
export function lazyBackendServer(at: 'pod address' | 'loopback') {
  let started: Promise<BackendServer> | undefined;
  return {
    backend: () => (started ??= startBackendServer(at)),
    closeBackend: async () => (await started)?.close(),
  };
}
