// SPDX-License-Identifier: Apache-2.0
// Simulates operators with a single fault at every operation, and with random plans:
// `npm run simulate [-- all|OPERATOR …|OPERATOR/SCENARIO … [SEEDS [FIRST]]]`; SEEDS is the total number of random plans.
// `npm run simulate -- sample PLANS SEED` runs a sample of PLANS of these plans, chosen by the seed.
// `npm run simulate -- OPERATOR/SCENARIO PLAN` repeats one plan, with its trace.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { exitCodes } from '@forge/runtime/process/exit-code.ts';
import type { FaultPlan } from '@forge/simulation/faults/fault-plan.ts';
import { scenarioOf } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { runReport } from './run-report.ts';
import type { Progress, Share } from './run-share.ts';
import { operators, scenarioNamed, scenarioNames } from './scenario-sets.ts';

const given = process.argv.slice(2);
const isName = (argument: string) => !/^[\d{]/.test(argument);
const [chosen = 'all'] = given;
const [seeds = '1000', first = '1'] = given.slice(given.filter(isName).length);
const names = [...new Set(given.filter(isName).flatMap(namesOf))];
if (names.length === 0) names.push(...namesOf('all'));
process.exitCode = seeds.startsWith('{') ? await repeat(seeds) : await runAll();

/** Divides all plans among processes, one per core. */
async function runAll(): Promise<number> {
  const workers = availableParallelism();
  const isSample = chosen === 'sample';
  const each = Math.ceil(counted(isSample ? 'PLANS' : 'SEEDS', seeds) / names.length);
  const report = runReport(names, workers);
  const exits = Array.from({ length: workers }, async (_, index) => {
    const share: Share = {
      names,
      drawn: each,
      ...(isSample && { sample: each }),
      first: counted('FIRST', first),
      index,
      of: workers,
    };
    const worker = fork(new URL('run-share.ts', import.meta.url), [JSON.stringify(share)]);
    worker.on('message', (progress: Progress) => report.add(progress));
    const [code] = (await once(worker, 'exit')) as [number | null];
    if (code !== 0) report.lose(index, code);
  });
  await Promise.all(exits);
  return report.summarize() === 0 ? 0 : exitCodes.failed.code;
}

/** Runs one plan, in the form that a failure prints. */
async function repeat(plan: string): Promise<number> {
  if (names.length !== 1) misused('Choose the scenario of this plan, not several');
  const { set, name } = scenarioNamed(names[0] ?? '');
  const scenario = scenarioOf(set, name);
  const { trace, violations } = await (await simulation(scenario)).replay(JSON.parse(plan) as FaultPlan);
  for (const line of trace) console.log(line);
  console.log(violations.length === 0 ? 'passes' : violations.join('\n'));
  return violations.length === 0 ? 0 : exitCodes.failed.code;
}

/** The scenarios that an argument stands for. */
function namesOf(argument: string): string[] {
  const all = scenarioNames();
  if (argument === 'all' || argument === 'sample') return all;
  if (operators.includes(argument)) return scenarioNames(argument);
  if (all.includes(argument)) return [argument];
  return misused(
    `There is no scenario "${argument}": choose all, sample, ${operators.join(', ')} or one of ${all.join(', ')}`,
  );
}

function counted(name: string, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : misused(`${name} must be a whole number, not "${text}"`);
}

function misused(message: string): never {
  console.error(message);
  process.exit(exitCodes.usage.code);
}
