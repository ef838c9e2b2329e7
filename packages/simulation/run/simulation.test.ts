// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { sleep, timestamp } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import type { FaultKind } from '../faults/fault-plan.ts';
import type { ProcessContext, ScenarioRun } from '../scenario/scenario.ts';
import { simulation } from './simulation.ts';

const ref = { namespace: 'default', name: 'a' };
const a: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };

/** A scenario in which programs run once, without user steps. */
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

const paysUntilAnswered =
  (pay: () => void) =>
  async ({ outside, clock }: ProcessContext) => {
    const call = () =>
      outside('the bank', () => {
        pay();
        return 'paid';
      });
    while ((await call().catch(() => undefined)) === undefined) await sleep(clock, seconds(1));
  };

const caller = paysUntilAnswered(() => undefined);

/** Stamps a ConfigMap, at most once an hour. */
const refreshing = async ({ client, clock }: ProcessContext) => {
  const found = (await client.find(ConfigMap, ref)) ?? (await client.create(ConfigMap, a));
  const isDue = clock.now() - Date.parse(found.data?.['refreshed'] ?? '1970-01-01T00:00:00Z') >= minutes(60);
  if (isDue) await client.patch(ConfigMap, ref, 'merge', { data: { refreshed: timestamp(clock) } });
};

describe('a simulation', () => {
  test('checks the rules after every change, not only at the end', async () => {
    const rules = {
      'nothing is there': (cluster) => cluster.find(ConfigMap, ref) === undefined,
    } satisfies ScenarioRun['rules'];
    await assert.rejects(simulation(scenario({ coming }, { rules })), /after ADDED .*: nothing is there/);
  });

  test('treats a rule that throws as violated', async () => {
    const rules = {
      'it says something': (cluster) => cluster.list(ConfigMap).every(({ data }) => data!['text'] !== ''),
    } satisfies ScenarioRun['rules'];
    await assert.rejects(simulation(scenario({ coming }, { rules })), /: it says something: TypeError/);
  });

  test('checks invariants after every call to an external system as well', async () => {
    let account = 0;
    const paying = async ({ outside }: ProcessContext) => {
      for (const sum of [1, -1]) await outside('the bank', () => (account += sum));
    };
    const invariants = { 'nothing is paid in': () => account === 0 };
    await assert.rejects(
      simulation(scenario({ paying }, { invariants })),
      /rule violated after a call to the bank: nothing is paid in/,
    );
  });

  test('reports the plan with any error thrown in a run', async () => {
    const ticking = async ({ clock }: ProcessContext) => clock.after(1000, thrown);
    await assert.rejects(simulation(scenario({ ticking })), /Error: no[^]*\nseed 0, plan /);
    await assert.rejects(simulation(scenario({}, { steps: [thrown] })), /Error: no[^]*\nseed 0, plan /);
    await assert.rejects(simulation(scenario({}, { outside: thrown })), /Error: no[^]*\nseed 0, plan /);
  });

  test('reports the plan with an unhandled rejection', async () => {
    // In its own process: here, the test runner would report it as well.
    const program = `
      import { simulation } from '${import.meta.resolve('./simulation.ts')}';
      const start = async ({ clock }) => clock.after(1000, () => void Promise.reject(new Error('no')));
      const found = simulation({ newRun: () => ({ processes: [{ name: 'losing', start }], steps: [] }) });
      console.log(await found.catch(({ message }) => message));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    assert.match(stdout, /unhandled rejection: Error: no[^]*\nseed 0, plan /);
  });

  test('injects no faults into a reliable process', async () => {
    const { processes } = scenario({ ours: once, theirs: once }).newRun();
    const reliable = processes.map((process) => ({ ...process, reliable: process.name === 'theirs' }));
    const { baseline } = await simulation({ newRun: () => ({ processes: reliable, steps: [] }) });
    assert.deepEqual([...baseline.operations.keys()], ['ours']);
  });

  for (const periodic of [true, false]) {
    test(`${periodic ? 'lets a periodic process write' : 'reports another process that writes'} when a jump of its clock has been corrected`, async () => {
      const processes = [{ name: 'refreshing', start: refreshing, periodic }];
      const stamps = await simulation({ newRun: () => ({ processes, steps: [] }) });
      const back = { process: 'refreshing', at: 1, fault: 'jump', by: -7_200_000 } as const;
      const { violations } = await stamps.replay({ seed: 1, faults: [back] });
      const written = 'configmaps/default/a was written after everything had settled, by refreshing';
      assert.deepEqual(violations, periodic ? [] : [written]);
    });
  }

  test('counts no operation of the restart that shows whether all is settled, because no fault can affect it', async () => {
    const { baseline } = await simulation(scenario({ ours: once }));
    assert.equal(baseline.operations.get('ours')?.request, 1);
  });

  test('fails external calls during an outage', async () => {
    const calls = await simulation(scenario({ caller }));
    const { trace, violations } = await calls.replay({
      seed: 1,
      faults: [{ process: 'caller', at: 1, fault: 'outage', calls: 3 }],
    });
    assert.deepEqual(violations, []);
    assert.equal(trace.filter((line) => line.endsWith('caller#1 calls the bank')).length, 4);
    assert.equal(trace.filter((line) => line.endsWith('caller#1 receives the answer of the bank')).length, 1);
  });

  const atCalls: [FaultKind, { effects: number; lines: RegExp[] }][] = [
    [
      { fault: 'crash-at-call', when: 'before' },
      { effects: 1, lines: [/#1 calls/, /#2 calls/, /#2 receives/] },
    ],
    [
      { fault: 'crash-at-call', when: 'after' },
      { effects: 2, lines: [/#1 calls/, /#2 calls/, /#2 receives/] },
    ],
    [{ fault: 'lost-reply' }, { effects: 2, lines: [/#1 calls/, /#1 calls/, /#1 receives/] }],
  ];
  for (const [fault, { effects, lines }] of atCalls) {
    test(`injects at an external call, which is repeated: ${JSON.stringify(fault)}`, async () => {
      let paid = 0;
      const paying = paysUntilAnswered(() => (paid += 1));
      const calls = await simulation(scenario({ paying }, { steps: [], outside: () => paid > 0 }));
      paid = 0;
      const { trace, violations } = await calls.replay({ seed: 1, faults: [{ process: 'paying', at: 1, ...fault }] });
      assert.deepEqual(violations, []);
      // Every process starts once more at the end of a run.
      const shown = trace.filter((line) => line.includes('the bank')).slice(0, -2);
      assert.equal(shown.length, lines.length);
      for (const [index, line] of lines.entries()) assert.match(shown[index] ?? '', line);
      assert.equal(paid, effects + 1);
    });
  }

  test('reports a process that cannot start, and a user step that fails', async () => {
    await assert.rejects(
      simulation(scenario({ broken: () => Promise.reject(new Error('no')) })),
      /broken#1 cannot start: .*no/,
    );
    const steps = [() => Promise.reject(new Error('no'))];
    await assert.rejects(simulation(scenario({}, { steps })), /user step 1 failed: .*no/);
  });
});
