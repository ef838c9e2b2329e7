// SPDX-License-Identifier: Apache-2.0
// Simulates the lives of a Keystone with every single fault at every place, and with drawn plans:
// `npm run simulate [-- SCENARIO|all [SEEDS [FIRST]]]`; SEEDS plans are drawn in total, none with 0.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { keystoneScenarios } from '@forge/keystone/test/simulation/scenarios.ts';
import { drawnPlans, systematicPlans } from '@forge/keystone/test/simulation/sweep.ts';
import { exitCodes } from '@forge/runtime/process/exit-code.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';

const workers = 2;
const [chosen = 'all', seeds = '2000', first = '1', worker] = process.argv.slice(2);
if (chosen !== 'all' && !Object.hasOwn(keystoneScenarios, chosen)) {
  misused(`There is no scenario "${chosen}": choose all or one of ${Object.keys(keystoneScenarios).join(', ')}`);
}
const names = Object.keys(keystoneScenarios).filter((name) => chosen === 'all' || chosen === name);
const [drawn, from] = [counted('SEEDS', seeds), counted('FIRST', first)];
process.exitCode = worker === undefined ? await runWorkers() : await runShare(Number(worker));

/** Divides all plans among processes; the exit code is that of the worst. */
async function runWorkers(): Promise<number> {
  const began = Date.now();
  const processes = Array.from({ length: workers }, (_, index) =>
    fork(import.meta.filename, [chosen, seeds, first, String(index)]),
  );
  const codes = await Promise.all(
    processes.map(async (each) => ((await once(each, 'exit')) as [number | null])[0] ?? 1),
  );
  console.log(`${Math.round((Date.now() - began) / 1000)} s`);
  return Math.max(...codes);
}

/** Runs one worker's share of the plans of each scenario; goes on after a failure. */
async function runShare(share: number): Promise<number> {
  let failures = 0;
  for (const name of names) {
    const keystone = await simulation(keystoneScenarios[name] as (typeof keystoneScenarios)[string]);
    const { operations } = keystone.baseline;
    const perScenario = Math.ceil(drawn / names.length);
    const plans = [...systematicPlans(operations), ...drawnPlans(operations, from, perScenario)];
    const own = plans.filter((_, index) => index % workers === share);
    let failed = 0;
    for (const plan of own) {
      try {
        await keystone.check(plan);
      } catch (error) {
        failed += 1;
        console.log(`"${name}" fails: ${String(error)}`);
      }
    }
    failures += failed;
    const cpu = Math.round(process.cpuUsage().user / 1e6);
    console.log(`"${name}" ran ${own.length} plans (worker ${share + 1}, ${cpu} s of CPU so far), ${failed} failed`);
  }
  return failures === 0 ? 0 : exitCodes.failed.code;
}

function counted(name: string, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : misused(`${name} must be a whole number, not "${text}"`);
}

function misused(message: string): never {
  console.error(message);
  process.exit(exitCodes.usage.code);
}
