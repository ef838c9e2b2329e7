// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

// Opens watches and reads their events; posts a message when all are open, and the number of bytes received on request.
const { url, count, headers } = workerData as { url: string; count: number; headers: Record<string, string> };
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
let received = 0;
for (let opened = 0; opened < count; opened += 50) {
  const opening = Array.from({ length: 50 }, async () => {
    const sent = request(url, { headers, agent });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
  });
  await Promise.all(opening);
}
parentPort?.postMessage('open', []);
parentPort?.on('message', () => parentPort?.postMessage(received, []));
