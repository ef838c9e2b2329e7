// SPDX-License-Identifier: Apache-2.0
import { costInProcess } from '../harness/cost-in-process.ts';
import type { Figure } from '../harness/figure.ts';
import { median, ratios } from '../harness/measure.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';
import type { InformCost, InformerName, InformWanted } from '../programs/inform.ts';

const objects = 50_000;
const changes = 20_000;
const rounds = 5;
const program = new URL('../programs/inform.ts', import.meta.url);
const informers: readonly InformerName[] = ['forge', 'forge, metadata only', 'client-node'];

/** An informer on 50,000 ConfigMaps of 1 KB, compared with that of @kubernetes/client-node in the same rounds. */
export async function informer(): Promise<Figure[]> {
  const { server: tls, client } = benchCertificates();
  const server = await startServerProcess(new URL('../programs/serve-config-maps.ts', import.meta.url), tls);
  const costs = new Map<InformerName, InformCost[]>(informers.map((each) => [each, []]));
  try {
    // The first round is not counted: in it, the server encodes its objects.
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of informers) {
        const wanted: InformWanted = { informer: name, port: server.port, tls: client, objects, changes };
        const cost = await costInProcess<InformCost>(program, wanted, { server, changes: { count: changes } });
        if (round > 0) costs.get(name)?.push(cost);
      }
    }
  } finally {
    await server.stop();
  }
  const all = (name: InformerName, what: keyof InformCost): number[] =>
    (costs.get(name) ?? []).map((cost) => cost[what]);
  const middle = (name: InformerName, what: keyof InformCost): number => median(all(name, what));
  const against = (what: keyof InformCost, name: InformerName = 'forge'): number[] =>
    ratios(all(name, what), all('client-node', what));
  const comparison = (what: keyof InformCost, unit: string, name: InformerName = 'forge'): string =>
    `${middle(name, what).toFixed(0)} to ${middle('client-node', what).toFixed(0)} ${unit}`;
  return [
    {
      what: 'list and sync 50,000 objects, against client-node',
      samples: against('synced'),
      unit: '×',
      goal: { atMost: 0.6 },
      ratio: comparison('synced', 'ms'),
    },
    {
      what: 'heap per object, against client-node',
      samples: against('heap'),
      unit: '×',
      goal: { atMost: 0.55 },
      ratio: comparison('heap', 'bytes'),
    },
    {
      what: 'heap per object, metadata only',
      samples: against('heap', 'forge, metadata only'),
      unit: '×',
      goal: { atMost: 0.25 },
      ratio: comparison('heap', 'bytes', 'forge, metadata only'),
    },
    {
      what: 'processor time per watch event, against client-node',
      samples: against('event'),
      unit: '×',
      goal: { atMost: 0.87 },
      ratio: comparison('event', 'µs'),
    },
  ];
}
