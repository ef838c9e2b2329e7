// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { serve } from '@forge/apiserver/serve.ts';
import { systemRandom } from '@forge/runtime/random/random.ts';
import { systemClock } from '@forge/runtime/time/clock.ts';
import { longestBlock, threadTime } from '../harness/measure.ts';
import { configMap } from '../harness/objects.ts';
import type { ServerTls } from '../harness/server-process.ts';

/** Events to make, all in one turn of the loop. */
interface EventsWanted {
  resource: string;
  count: number;
  /** Whether to look for blocks of the loop, which is work too. */
  findBlocks: boolean;
}

/** What the server was busy with, in milliseconds. */
export interface EventsCost {
  work: number;
  /** The longest time for which the loop did not turn; 0 when nobody looked. */
  block: number;
}

// An API server in a process of its own that makes events when it is told to, and says what they cost it.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const server = await apiServer({ clock: systemClock, random: systemRandom });
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);

let serial = 1_000_000;
let delivered = Promise.withResolvers<void>();
process.on('message', (message: EventsWanted | 'delivered') => {
  if (message === 'delivered') delivered.resolve();
  else void tell(message);
});

async function tell({ resource, count, findBlocks }: EventsWanted): Promise<void> {
  delivered = Promise.withResolvers();
  const begun = threadTime();
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
  process.send?.({ work: threadTime() - begun, block } satisfies EventsCost);
}
