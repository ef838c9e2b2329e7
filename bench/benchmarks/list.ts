// SPDX-License-Identifier: Apache-2.0
import { apiServer } from '@forge/apiserver/api-server.ts';
import type { Payload } from '@forge/apiserver/messages/payload.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { longestBlock } from '@forge/testing/longest-block.ts';
import type { Figure } from '../harness/figure.ts';
import { filledStore } from '../harness/filled-store.ts';
import { median, timed, wallTime } from '../harness/measure.ts';

const count = 100_000;
const rounds = 5;
const path = '/api/v1/configmaps';

/** Lists of a large collection: the longest time that they block the event loop, including the first, uncached one. */
export async function list(): Promise<Figure[]> {
  const forkOf = { store: await filledStore(count) };
  const server = await apiServer({ clock: virtualClock(), random: seededRandom(), forkOf });
  const transport = inProcessTransport(server);
  const user = { name: 'bench', groups: ['system:masters'] };
  const works: Record<string, () => Promise<unknown>> = {
    'all at once': () => transport.request({ method: 'GET', path }),
    'all at once, selected by label': () =>
      transport.request({ method: 'GET', path, query: { labelSelector: 'app=bench' } }),
    'all at once, as bytes': async () => {
      const response = await server.handle({ method: 'GET', path, query: {}, headers: {}, user });
      if ('payload' in response) await takePieces(response.payload);
    },
    'in pages of 500': () => allPages(transport),
  };
  await new Promise((resolve) => setTimeout(resolve, 500));
  const idle = await longestBlock(() => new Promise((resolve) => setTimeout(resolve, 100)));
  const figures: Figure[] = [{ what: 'longest block of an idle loop', samples: [idle], statistic: 'max', unit: 'ms' }];
  for (const [name, work] of Object.entries(works)) {
    const blocks: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      let time = 0;
      const block = await longestBlock(async () => (time = await timed(wallTime, work)));
      blocks.push(block);
      times.push(time);
    }
    const ratio = `takes ${median(times).toFixed(0)} ms in all`;
    const what = `longest block by 100,000 objects ${name}`;
    figures.push({ what, samples: blocks, statistic: 'max', unit: 'ms', goal: { atMost: 20 }, ratio });
  }
  await server.close();
  return figures;
}

/** Consumes a payload like an HTTP server. */
async function takePieces(payload: Payload): Promise<void> {
  for (const _ of payload.pieces?.() ?? []) await new Promise(setImmediate);
}

async function allPages(transport: Transport): Promise<void> {
  let next = '';
  do {
    const query = { limit: '500', ...(next !== '' && { continue: next }) };
    const { body } = await transport.request({ method: 'GET', path, query });
    next = (body as { metadata: { continue?: string } }).metadata.continue ?? '';
    // Over a connection, a page takes at least one turn of the event loop.
    await new Promise(setImmediate);
  } while (next !== '');
}
