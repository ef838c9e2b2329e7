// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { sleep } from '@forge/runtime/time/clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { ProcessContext, ScenarioRun } from '../scenario/scenario.ts';
import { simulation } from './simulation.ts';

const ref = { namespace: 'default', name: 'a' };
const a: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };

/** A scenario in which programs run once and users do nothing. */
function scenario(
  programs: Record<string, (host: ProcessContext) => Promise<unknown>>,
  scenarioRun: Partial<ScenarioRun> = {},
) {
  const processes = Object.entries(programs).map(([name, start]) => ({ name, start }));
  return { newRun: () => ({ processes, steps: [], ...scenarioRun }) };
}

const coming = async ({ client }: ProcessContext) => {
  await client.create(ConfigMap, a);
  await client.delete(ConfigMap, ref);
};

const thrown = () => {
  throw new Error('no');
};

const once = ({ client }: ProcessContext) => client.find(ConfigMap, ref);

const caller = async ({ outside, clock }: ProcessContext) => {
  const call = () => outside('the bank', () => 'paid');
  while ((await call().catch(() => undefined)) === undefined) await sleep(clock, seconds(1));
};

describe('a simulation', () => {
  test('checks the rules after every change, not only at the end', async () => {
    const rules = {
      'nothing is there': (cluster) => cluster.find(ConfigMap, ref) === undefined,
    } satisfies ScenarioRun['rules'];
    await assert.rejects(
      simulation(scenario({ coming }, { rules })),
      /after ADDED .* does not hold that nothing is there/,
    );
  });

  test('takes a rule that throws for one that does not hold', async () => {
    const rules = {
      'it says something': (cluster) => cluster.list(ConfigMap).every(({ data }) => data!['text'] !== ''),
    } satisfies ScenarioRun['rules'];
    await assert.rejects(
      simulation(scenario({ coming }, { rules })),
      /does not hold that it says something: TypeError/,
    );
  });

  test('tells the plan whatever is thrown in a run', async () => {
    const ticking = async ({ clock }: ProcessContext) => clock.after(1000, thrown);
    await assert.rejects(simulation(scenario({ ticking })), /Error: no[^]*\nseed 0, plan /);
    await assert.rejects(simulation(scenario({}, { steps: [thrown] })), /Error: no[^]*\nseed 0, plan /);
    await assert.rejects(simulation(scenario({}, { outside: thrown })), /Error: no[^]*\nseed 0, plan /);
  });

  test('tells the plan when a promise fails and nobody handles it', async () => {
    // In a process of its own: here, it would be the test runner's affair as well.
    const program = `
      import { simulation } from '${import.meta.resolve('./simulation.ts')}';
      const start = async ({ clock }) => clock.after(1000, () => void Promise.reject(new Error('no')));
      const found = simulation({ newRun: () => ({ processes: [{ name: 'losing', start }], steps: [] }) });
      console.log(await found.catch(({ message }) => message));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    assert.match(stdout, /nobody handles that a promise failed: Error: no[^]*\nseed 0, plan /);
  });

  test('lets nothing befall a reliable process', async () => {
    const { processes } = scenario({ ours: once, theirs: once }).newRun();
    const reliable = processes.map((process) => ({ ...process, reliable: process.name === 'theirs' }));
    const { baseline } = await simulation({ newRun: () => ({ processes: reliable, steps: [] }) });
    assert.deepEqual([...baseline.operations.keys()], ['ours']);
  });

  test('lets calls to the outside fail as long as an outage lasts', async () => {
    const calls = await simulation(scenario({ caller }));
    const { trace, violations } = await calls.replay({
      seed: 1,
      faults: [{ process: 'caller', at: 1, fault: 'outage', calls: 3 }],
    });
    assert.deepEqual(violations, []);
    assert.equal(trace.filter((line) => line.endsWith('caller#1 calls the bank')).length, 4);
    assert.equal(trace.filter((line) => line.endsWith('caller#1 hears from the bank')).length, 1);
  });

  test('tells a process that cannot start, and a user who cannot do a step', async () => {
    await assert.rejects(
      simulation(scenario({ broken: () => Promise.reject(new Error('no')) })),
      /broken#1 cannot start: .*no/,
    );
    const steps = [() => Promise.reject(new Error('no'))];
    await assert.rejects(simulation(scenario({}, { steps })), /step 1 of the users failed: .*no/);
  });
});
