// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { longestBlock, threadTime } from '@forge/testing/longest-block.ts';
import { configMap } from '../harness/objects.ts';
import type { ServerTls } from '../harness/server-process.ts';

/** How many events to emit, all in one turn of the event loop. */
interface EventsWanted {
  resource: string;
  count: number;
  /** Whether to measure event loop blocks, which costs time itself. */
  findBlocks: boolean;
}

/** CPU time of the server, in milliseconds. */
export interface EventsCost {
  work: number;
  /** The longest event loop block; 0 when not measured. */
  block: number;
}

// An API server in its own process that emits events on request and reports their cost.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const server = await apiServer({ clock: systemClock, random: systemRandom });
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);

let serial = 1_000_000;
let delivered = Promise.withResolvers<void>();
process.on('message', (message: EventsWanted | 'delivered') => {
  if (message === 'delivered') delivered.resolve();
  else void emit(message);
});

async function emit({ resource, count, findBlocks }: EventsWanted): Promise<void> {
  delivered = Promise.withResolvers();
  const start = threadTime();
  const deliver = async (): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const name = `c-${(serial += 1)}`;
      server.store.commit(`${resource}/default/${name}`, undefined, configMap(name));
    }
    await delivered.promise;
  };
  let block = 0;
  if (findBlocks) block = await longestBlock(deliver);
  else await deliver();
  process.send?.({ work: threadTime() - start, block } satisfies EventsCost);
}
