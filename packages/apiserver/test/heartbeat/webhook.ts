// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';

/** The certificate of a webhook, and its answer, in which `UID` stands for that of the review. */
export interface WebhookOptions {
  cert: string;
  key: string;
  answer: string;
}

// Runs in its own thread, so that its work does not count as the server's; posts its port.
const { cert, key, answer } = workerData as WebhookOptions;
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { uid } = (JSON.parse(await text(request)) as { request: { uid: string } }).request;
  response.end(answer.replace('UID', uid));
}

const server = createServer({ cert, key }, (...exchange) => void respond(...exchange));
await once(server.listen(0, '127.0.0.1'), 'listening');
parentPort?.postMessage((server.address() as AddressInfo).port, []);
