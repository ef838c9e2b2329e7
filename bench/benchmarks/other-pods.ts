// SPDX-License-Identifier: Apache-2.0
import { costInProcess } from '../harness/cost-in-process.ts';
import type { Figure } from '../harness/figure.ts';
import { median, ratios } from '../harness/measure.ts';
import { benchCertificates, startServerProcess, type ServerProcess } from '../harness/server-process.ts';
import type { ReadPodsCost } from '../programs/read-labelled-pods.ts';

const others = 20_000;
const times = 20;
const own = 100;
const rounds = 5;

/**
 * An operator that reads 100 pods by label and watches them with a selector: on an API server with 20,000 pods of others, which
 * change as often as its own, against the same run without them. Without a selector it is shown for comparison only.
 */
export async function otherPods(): Promise<Figure[]> {
  const { server: tls, client } = benchCertificates();
  const program = new URL('../programs/serve-pods.ts', import.meta.url);
  const alone = await startServerProcess(program, tls, '0');
  const crowded = await startServerProcess(program, tls, String(others));
  const costOf = (server: ServerProcess, selector: string | null): Promise<ReadPodsCost> => {
    const wanted = { port: server.port, tls: client, selector, changes: times * own };
    const reader = new URL('../programs/read-labelled-pods.ts', import.meta.url);
    return costInProcess(reader, wanted, { server, changes: { times } });
  };
  const costs: Record<'without' | 'with' | 'whole', ReadPodsCost[]> = { without: [], with: [], whole: [] };
  try {
    const selector = 'app.kubernetes.io/managed-by=sites';
    // The first round is not counted: in it, the servers encode their objects.
    for (let round = 0; round <= rounds; round += 1) {
      const without = await costOf(alone, selector);
      const crowd = await costOf(crowded, selector);
      if (round === 0) continue;
      costs.without.push(without);
      costs.with.push(crowd);
    }
    costs.whole.push(await costOf(crowded, null));
  } finally {
    await Promise.all([alone.stop(), crowded.stop()]);
  }
  const all = (name: keyof typeof costs, what: keyof ReadPodsCost) => costs[name].map((cost) => cost[what]);
  const against = (name: 'with' | 'whole', what: keyof ReadPodsCost) => ratios(all(name, what), all('without', what));
  const text = (name: 'with' | 'whole', what: keyof ReadPodsCost, unit: string, size: number) =>
    [name, 'without' as const].map((each) => (median(all(each, what)) / size).toFixed(1)).join(' to ') + ` ${unit}`;
  const mebi = 1024 * 1024;
  return [
    {
      what: 'heap with 20,000 pods of others, against none',
      samples: against('with', 'heap'),
      unit: '×',
      goal: { atMost: 1.02 },
      ratio: text('with', 'heap', 'MiB', mebi),
    },
    {
      what: 'processor time with 20,000 pods of others, against none',
      samples: against('with', 'time'),
      unit: '×',
      goal: { atMost: 1.15 },
      ratio: text('with', 'time', 'ms', 1000),
    },
    {
      what: 'the same heap, if the watch has no selector',
      samples: against('whole', 'heap'),
      unit: '×',
      ratio: text('whole', 'heap', 'MiB', mebi),
    },
    {
      what: 'the same processor time, if the watch has no selector',
      samples: against('whole', 'time'),
      unit: '×',
      ratio: text('whole', 'time', 'ms', 1000),
    },
  ];
}
