// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:tls';
import { parentPort, type MessagePort } from 'node:worker_threads';

/** A request for the attacker to send. */
export interface Order {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
  inBytes: boolean | undefined;
  pipelined?: number | undefined;
}

/** The response of the server. */
export interface Reply {
  status: number;
  /** The beginning of the body. */
  text: string;
}

// Runs in its own thread, so that its work does not count as the server's.
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

/** Warnings may fill it. */
const maxHeaderSize = 1024 * 1024;

/** Sends a request, as often and in such parts as it says. */
export async function send({ url, method, headers, body = '', inBytes, pipelined }: Order): Promise<Reply> {
  if (inBytes === true) return sendInBytes({ url, method, headers, body, inBytes });
  if (pipelined !== undefined) return sendPipelined({ url, method, headers }, pipelined);
  const length = { 'content-length': Buffer.byteLength(body) };
  const lines = body.length === 0 ? headers : { ...headers, ...length };
  const respond = async (): Promise<IncomingMessage> => {
    const sent = request(url, { method, headers: lines, agent, maxHeaderSize });
    sent.end(body);
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return response;
    } catch (error) {
      // The server has closed an idle connection: making a body can take seconds.
      if (sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') return respond();
      throw error;
    }
  };
  const response = await respond();
  const chunks = (await response.toArray()) as Buffer[];
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8', 0, 2000) };
}

/** Sends each byte of the body as a chunk of its own. */
async function sendInBytes({ url, method, headers, body = '' }: Order): Promise<Reply> {
  const { hostname: host, port, pathname } = new URL(url);
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false });
  const lines = { host, ...headers, 'transfer-encoding': 'chunked', connection: 'close' };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${head.join('')}\r\n`);
  const chunks = Buffer.from(body).toString('latin1').replaceAll(/./gs, '1\r\n$&\r\n');
  socket.write(`${chunks}0\r\n\r\n`, 'latin1');
  const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0), text: text.slice(text.indexOf('\r\n\r\n'), 2000) };
}

/** Sends a request many times without waiting for responses; the reply is the last one. */
async function sendPipelined(order: Pick<Order, 'url' | 'method' | 'headers'>, count: number): Promise<Reply> {
  const { hostname: host, port, pathname } = new URL(order.url);
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false });
  const text = (connection: string): string => {
    const head = Object.entries({ host, ...order.headers, connection }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${order.method} ${pathname} HTTP/1.1\r\n${head.join('')}\r\n`;
  };
  socket.write(text('keep-alive').repeat(count - 1) + text('close'));
  const received = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { status: statuses.length === count ? (statuses.at(-1) ?? 0) : 0, text: `${statuses.length} responses` };
}

/** Sends requests, and their answers to the thread that ordered them. */
function serve(port: MessagePort): void {
  port.on('message', (order: Order) => {
    void send(order)
      .catch((error: Error): Reply => ({ status: 0, text: String(error) }))
      .then((reply) => port.postMessage(reply));
  });
}

if (parentPort !== null) serve(parentPort);
