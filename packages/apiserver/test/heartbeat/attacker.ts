// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { parentPort, type MessagePort } from 'node:worker_threads';

/** A request that the attacker is to send. */
export interface Order {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/** What the server answered. */
export interface Reply {
  status: number;
  /** The beginning of the body. */
  text: string;
}

// A thread of its own, so that its work is not taken for the server's.
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

async function send({ url, method, headers, body = '' }: Order): Promise<Reply> {
  const length = { 'content-length': Buffer.byteLength(body) };
  const sent = request(url, { method, headers: body.length === 0 ? headers : { ...headers, ...length }, agent });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8', 0, 2000) };
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
