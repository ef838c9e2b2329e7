// SPDX-License-Identifier: Apache-2.0
// Runs what `npm test` runs a little of with many more seeds: `npm run torture [-- NAME [SEEDS [FIRST]]]`.
import { tortureWatches } from '@forge/runtime/test/watch-torture.ts';
import { tortureWrites } from '@forge/runtime/test/write-torture.ts';
import { simulation } from '@forge/simulation/simulation.ts';
import { alone, elected } from '@forge/simulation/test/websites-scenario.ts';

/** Something that must survive every seed, and how many it is given. */
interface Torture {
  seeds: number;
  run(first: number, seeds: number): Promise<void>;
}

const tortures: Record<string, Torture> = {
  watches: { seeds: 1000, run: (first, seeds) => tortureWatches(first, seeds, 1000) },
  writes: { seeds: 10_000, run: tortureWrites },
  operator: { seeds: 10_000, run: async (first, seeds) => (await simulation(alone)).survives(seeds, first) },
  leaders: { seeds: 1000, run: async (first, seeds) => (await simulation(elected)).survives(seeds, first) },
};

const [chosen, seeds, first = '1'] = process.argv.slice(2);
if (chosen !== undefined && !(chosen in tortures)) {
  throw new Error(`There is no torture "${chosen}": choose one of ${Object.keys(tortures).join(', ')}`);
}
for (const [name, torture] of Object.entries(tortures)) {
  if (chosen !== undefined && chosen !== name) continue;
  const count = Number(seeds ?? torture.seeds);
  await torture.run(Number(first), count);
  console.log(`${name} survived ${count} seeds from ${first} on`);
}
