// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ClientTls } from '../harness/server-process.ts';

/** Which informer is measured. */
export type InformerName = 'forge' | 'forge, metadata only' | 'client-node';

/** What to measure. */
export interface InformWanted {
  informer: InformerName;
  port: number;
  tls: ClientTls;
  objects: number;
  changes: number;
}

/** Fills an informer, then calls the listener for every change. */
export type Inform = (onChange: () => void) => Promise<void>;

/** The cost of an informer in its own process. */
export interface InformCost {
  /** Milliseconds from the first request until every object is cached. */
  synced: number;
  /** Bytes of heap per object. */
  heap: number;
  /** Microseconds of CPU time per event. */
  event: number;
}

// Syncs an informer once, and reports the cost of the sync and of the following events, until killed.
const [wanted] = (await once(process, 'message')) as [InformWanted];
const inform = await prepared(wanted);
let events = 0;
const allReceived = Promise.withResolvers<void>();
const before = heapUsed();
const start = performance.now();
await inform(() => {
  events += 1;
  if (events === wanted.changes) allReceived.resolve();
});
const synced = performance.now() - start;
const heap = (heapUsed() - before) / wanted.objects;
const used = process.cpuUsage();
process.send?.('synced');
await allReceived.promise;
const { user, system } = process.cpuUsage(used);
process.send?.({ synced, heap, event: (user + system) / wanted.changes } satisfies InformCost);

/** An informer that has made one request: only its own modules are loaded, and its connection is open. */
async function prepared({ informer, port, tls }: InformWanted): Promise<Inform> {
  const server = `https://127.0.0.1:${port}`;
  if (informer === 'client-node') {
    const { informClientNode } = await import('./inform-client-node.ts');
    return informClientNode(server, tls);
  }
  const { informForge } = await import('./inform-forge.ts');
  return informForge(server, tls, informer === 'forge, metadata only');
}

function heapUsed(): number {
  for (let turn = 0; turn < 4; turn += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
