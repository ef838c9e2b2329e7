// SPDX-License-Identifier: Apache-2.0
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readLog, type LogOptions } from '../logs/read-log.ts';
import type { Kubelet } from '../pods/kubelet.ts';

/** A request for a container's log. */
interface LogRequest {
  namespace: string;
  pod: string;
  container: string;
  query: URLSearchParams;
}

/** Responds with a container's log, or with the kubelet's error message. */
export async function serveLog(
  kubelet: Pick<Kubelet, 'pod'>,
  { namespace, pod, container, query }: LogRequest,
  response: ServerResponse,
  now: number,
): Promise<void> {
  const refuse = (status: number, message: string) =>
    void response.writeHead(status, { 'content-type': 'text/plain' }).end(message);
  const previous = query.get('previous') === 'true';
  const found = kubelet.pod(namespace, pod);
  if (!found) return refuse(404, 'pod does not exist\n');
  const log = found.log(container, previous);
  if ('problem' in log) return refuse(log.status, log.problem);

  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const lines = readLog(log, logOptions(query, now), gone.signal);
  try {
    const first = await lines.next();
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    if (first.done === true) return void response.end();
    response.write(first.value);
    await pipeline(Readable.from(lines), response);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    if (code !== 'ENOENT') throw error;
    if (previous) return refuse(400, `previous terminated container "${container}" in pod "${pod}" not found`);
    refuse(400, `container "${container}" in pod "${pod}" is waiting to start: ContainerCreating`);
  }
}

/** The options of a query; the names are those of the API server's `log` subresource. */
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
