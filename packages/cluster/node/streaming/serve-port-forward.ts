// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pipeSockets } from '../network/pipe-sockets.ts';
import { serveSpdy } from './spdy-session.ts';

/** The two streams of one forwarded connection. */
type Pair = Partial<Record<'data' | 'error', Duplex>>;

/** Forwards every requested connection to a port of the pod; resolves when the client has disconnected. */
export async function servePortForward(connection: Duplex, dial: (port: number) => Promise<Duplex>): Promise<void> {
  const pairs = new Map<string, Pair>();
  await serveSpdy(connection, ({ headers, stream }) => {
    const id = headers.get('requestid') ?? '';
    const type = headers.get('streamtype');
    if (type !== 'data' && type !== 'error') return void stream.destroy();
    const pair = { ...pairs.get(id), [type]: stream };
    pairs.set(id, pair);
    stream.once('close', () => pairs.delete(id));
    // Clients send nothing on the error stream.
    if (type === 'error') stream.resume();
    const { data, error } = pair as Pair;
    if (data && error) void forward(data, error, Number(headers.get('port')), dial);
  });
}

async function forward(
  data: Duplex,
  error: Duplex,
  port: number,
  dial: (port: number) => Promise<Duplex>,
): Promise<void> {
  try {
    const target = await dial(port);
    if (data.destroyed) return void target.destroy();
    pipeSockets(data, target);
    await finished(data).catch(() => {});
    error.end();
  } catch (problem) {
    error.end(`error forwarding port ${port} to pod: ${(problem as Error).message}`);
    data.destroy();
  }
}
