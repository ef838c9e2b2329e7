// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import type { Client } from '@forge/kube/client/client.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { addresses } from '../network/addresses.ts';
import type { ConnectionLimits } from '../network/connection-limits.ts';
import type { Kubelet } from '../pods/kubelet.ts';
import { UpgradeRejectedError } from '../streaming/upgrade-connection.ts';
import { authorize } from './authorize.ts';
import { serveLog } from './serve-log.ts';
import { serveStreams } from './serve-streams.ts';

interface KubeletServerOptions {
  /** The node's name. */
  name: string;
  kubelet: Pick<Kubelet, 'pod'>;
  client: Client;
  tools: Toolbox;
  tls: { ca: string; cert: string; key: string };
  clock: Clock;
  limits: ConnectionLimits;
  signal: AbortSignal;
}

/**
 * Serves the kubelet's HTTPS API to clients with a certificate of the cluster's authority that are authorized for this
 * node.
 */
export async function serveKubelet(options: KubeletServerOptions): Promise<void> {
  const { tls, limits, signal } = options;
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    void answer(options, request, response).catch((error: Error) => response.destroy(error));
  });
  server.on('connection', (socket: Socket) => limits.admit(socket));
  server.on('upgrade', (request, socket, head) => {
    void upgrade(options, request, socket, head).catch(() => socket.destroy());
  });
  signal.addEventListener('abort', () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(addresses.kubeletPort, addresses.node), 'listening');
}

async function answer(
  { name, kubelet, client, clock }: KubeletServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://kubelet');
  const [resource, namespace = '', pod = '', container = ''] = pathname.split('/').slice(1).map(decodeURIComponent);
  if (resource === 'healthz') return void response.end('ok');
  const refused = await authorize(client, name, request);
  if (refused !== undefined) return void response.writeHead(refused.status).end(refused.message);
  if (resource === 'containerLogs') {
    return serveLog(kubelet, { namespace, pod, container, query }, response, clock.now());
  }
  response.writeHead(404).end(`the node does not serve ${pathname}`);
}

/** Upgrades a request to streams, or rejects it. */
async function upgrade(
  options: KubeletServerOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  if (head.length > 0) socket.unshift(head);
  addAbortSignal(options.signal, socket);
  // A client that disconnected needs no response.
  socket.on('error', () => {});
  (socket as Socket).setNoDelay(true);
  try {
    const refused = await authorize(options.client, options.name, request);
    if (refused !== undefined) throw new UpgradeRejectedError(refused.status, refused.message);
    await serveStreams(options, request, socket);
  } catch (error) {
    if (!(error instanceof UpgradeRejectedError)) throw error;
    const { status, message } = error;
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Content-Type: text/plain', 'Connection: close'];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${message}`);
  }
}
