// SPDX-License-Identifier: Apache-2.0
import { badClient } from './bad-client.ts';
import { badRequests } from './bad-requests.ts';
import { servedServer } from './served-server.ts';

/** Sends this many bad requests, several at a time. */
async function send(count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const sender = async (): Promise<void> => {
    for (const index of numbers) await client.send(badRequests[index % badRequests.length]!);
  };
  await Promise.all(Array.from({ length: 8 }, sender));
}

/** Heap size after garbage collection. */
async function heap(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// Reports the heap growth of bad requests to the parent test.
await using served = await servedServer();
const client = await badClient(served);
// Warm-up.
await send(1000);
const before = await heap();
await send(10_000);
console.log(JSON.stringify({ before, after: await heap() }));
client.close();
