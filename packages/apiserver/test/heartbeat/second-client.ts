// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

// Asks every 10 ms, whether earlier questions are answered or not; posts the longest wait in milliseconds on request.
const { url, headers } = workerData as { url: string; headers: Record<string, string> };
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
const interval = 10;
let longest = 0;
const waiting = new Set<Promise<void>>();

async function ask(): Promise<void> {
  const start = performance.now();
  const sent = request(url, { headers, agent });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  longest = Math.max(longest, performance.now() - start);
}

setInterval(() => {
  const asked = ask();
  waiting.add(asked);
  void asked.finally(() => waiting.delete(asked));
}, interval);

// The answer to a question that the server could not take while it was attacked counts, too.
async function report(): Promise<void> {
  await Promise.all(waiting);
  parentPort?.postMessage(longest, []);
  longest = 0;
}

parentPort?.on('message', () => void report());
