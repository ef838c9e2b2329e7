// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@forge/runtime/clock.ts';
import { addresses } from './addresses.ts';
import type { Kubelet } from './kubelet.ts';
import { readLog, type LogOptions } from './read-log.ts';

interface KubeletServerOptions {
  kubelet: Pick<Kubelet, 'log'>;
  tls: { ca: string; cert: string; key: string };
  clock: Clock;
  signal: AbortSignal;
}

/** Serves the kubelet's HTTPS API to whoever has a certificate of the cluster's authority. */
export async function serveKubelet({ kubelet, tls, clock, signal }: KubeletServerOptions): Promise<void> {
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    void answer(request, response, kubelet, clock).catch((error: Error) => response.destroy(error));
  });
  signal.addEventListener('abort', () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(addresses.kubeletPort, addresses.node), 'listening');
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  kubelet: Pick<Kubelet, 'log'>,
  clock: Clock,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://kubelet');
  const [resource, namespace = '', pod = '', container = ''] = pathname.split('/').slice(1).map(decodeURIComponent);
  if (resource === 'healthz') return void response.end('ok');
  if (resource !== 'containerLogs') return refuse(response, 404, `the process node does not serve ${pathname}`);

  const log = kubelet.log(namespace, pod, container, searchParams.get('previous') === 'true');
  if (!log) return refuse(response, 404, `pod ${namespace}/${pod} has no container ${container} on this node`);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const lines = readLog(log, logOptions(searchParams, clock.now()), gone.signal);
  try {
    const first = await lines.next();
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    if (first.done === true) return void response.end();
    response.write(first.value);
    await pipeline(Readable.from(lines), response);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return refuse(response, 400, `container ${container} in pod ${pod} has not written a log yet`);
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** What the query asks for; the names are those of the API server's `log` subresource. */
export function logOptions(query: URLSearchParams, now: number): LogOptions {
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const [tailLines, limitBytes, sinceSeconds] = [number('tailLines'), number('limitBytes'), number('sinceSeconds')];
  const sinceTime = query.get('sinceTime');
  const since =
    sinceSeconds === undefined ? (sinceTime ? Date.parse(sinceTime) : undefined) : now - sinceSeconds * 1000;
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(since !== undefined && { since }),
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(message);
}
