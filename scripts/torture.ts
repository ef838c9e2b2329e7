// SPDX-License-Identifier: Apache-2.0
// Runs the randomized tests of `npm test` with many more seeds: `npm run torture [-- NAME [SEEDS [FIRST]]]`.
import { exitCodes } from '@forge/runtime/process/exit-code.ts';
import { tortureWatches } from '@forge/runtime/test/watch-torture.ts';
import { tortureWrites } from '@forge/runtime/test/write-torture.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { alone as certificates } from '@forge/simulation/test/certificates-scenario.ts';
import { depotsScenario } from '@forge/simulation/test/depots-scenario.ts';
import { alone, elected } from '@forge/simulation/test/websites-scenario.ts';

/** A test that must pass for every seed, and how many seeds it gets. */
interface Torture {
  seeds: number;
  run(first: number, seeds: number): Promise<void>;
}

const tortures: Record<string, Torture> = {
  watches: { seeds: 1000, run: (first, seeds) => tortureWatches(first, seeds, 1000) },
  writes: { seeds: 10_000, run: tortureWrites },
  operator: { seeds: 10_000, run: async (first, seeds) => (await simulation(alone)).survives(seeds, first) },
  depots: {
    seeds: 1000,
    run: async (first, seeds) => (await simulation(depotsScenario({ end: false }))).survives(seeds, first),
  },
  certificates: { seeds: 1000, run: async (first, seeds) => (await simulation(certificates)).survives(seeds, first) },
  leaders: { seeds: 1000, run: async (first, seeds) => (await simulation(elected)).survives(seeds, first) },
};

const [chosen, seeds, first = '1'] = process.argv.slice(2);
if (chosen !== undefined && !Object.hasOwn(tortures, chosen)) {
  misused(`There is no torture "${chosen}": choose one of ${Object.keys(tortures).join(', ')}`);
}
const given = seeds === undefined ? undefined : counted('SEEDS', seeds);
const from = counted('FIRST', first);
for (const [name, torture] of Object.entries(tortures)) {
  if (chosen !== undefined && chosen !== name) continue;
  const count = given ?? torture.seeds;
  await torture.run(from, count);
  console.log(`${name} survived ${count} seeds from ${from} on`);
}

function counted(name: string, text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : misused(`${name} must be a positive whole number, not "${text}"`);
}

function misused(message: string): never {
  console.error(message);
  process.exit(exitCodes.usage.code);
}
