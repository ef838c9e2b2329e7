// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { ClientTls } from './server-process.ts';

/** Persistent connections, each with one request in flight. */
export interface Load {
  /** Sends this many requests; each must succeed. */
  send(count: number, requestOf: () => Buffer): Promise<void>;
  /** The response to one request. */
  ask(request: Buffer): Promise<unknown>;
  close(): void;
}

/** The bytes of a request. */
export function requestBytes(method: string, path: string, body?: unknown): Buffer {
  const content = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'User-Agent: bench/1',
    'Accept: application/json',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${content.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`), content]);
}

/** Opens connections to a server, with as little client overhead as possible. */
export async function load(port: number, tls: ClientTls, connections: number): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port, tls)));
  return {
    async send(count, requestOf) {
      let left = count;
      await Promise.all(
        sockets.map(async (socket) => {
          while ((left -= 1) >= 0) await exchange(socket, requestOf());
        }),
      );
    },
    async ask(request) {
      const [socket] = sockets;
      return JSON.parse((await exchange(socket as TLSSocket, request)).toString());
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** An open connection. */
export async function connected(port: number, tls: ClientTls): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', minVersion: 'TLSv1.3', ...tls });
  await once(socket, 'secureConnect');
  socket.setNoDelay(true);
  return socket;
}

/** The response body. */
function exchange(socket: TLSSocket, request: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let answer: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk]);
    const end = answer.indexOf('\r\n\r\n');
    const [, status, length] =
      /^HTTP\/1.1 (\d+).*\r\ncontent-length: (\d+)/is.exec(answer.toString('latin1', 0, end)) ?? [];
    if (status?.startsWith('2') !== true) return reject(new Error(`A request failed: ${answer.toString()}`));
    if (answer.length < end + 4 + Number(length)) return;
    socket.off('data', take).off('error', reject);
    resolve(answer.subarray(end + 4));
  };
  socket.on('data', take).once('error', reject);
  socket.write(request);
  return promise;
}
