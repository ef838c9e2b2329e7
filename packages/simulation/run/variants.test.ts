// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault } from '../faults/fault-plan.ts';
import { variantsOf } from '../faults/variants.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { copies, keepCopy, type CopyWork } from '../test/copies.ts';
import type { Run } from './run-scenario.ts';
import { simulation } from './simulation.ts';

const place = { process: 'copies', at: 2 };
const lag: Fault = { ...place, at: 1, fault: 'lag' };
const hold: Fault = { ...lag, fault: 'hold' };
const ahead: Fault = { ...place, fault: 'jump', by: 3_600_000 };
const back: Fault = { ...ahead, by: -ahead.by };
const error: Fault = { ...place, at: 1, fault: 'refuse', code: 500 };

/** Reads the clock. */
const readClock: CopyWork = async (ref, context, host) => {
  host.clock.now();
  await keepCopy(ref, context, host);
};

/** With its first user step only. */
function inOneStep(scenario: Scenario): Scenario {
  return { ...scenario, newRun: () => ({ ...scenario.newRun(), steps: scenario.newRun().steps.slice(0, 1) }) };
}

/** The runs with this fault and with the other one in the same place. */
async function runsWith(scenario: Scenario, faults: readonly Fault[]): Promise<Run[]> {
  const simulated = await simulation(scenario);
  const runs: Run[] = [];
  for (const fault of faults) runs.push(await simulated.replay({ seed: 1, faults: [fault] }));
  return runs;
}

/** What happened in a run, step by step. */
const stepsOf = ({ trace }: Run) => trace.slice(0, -1);

/** The methods of the requests that were refused. */
const refusedMethods = ({ trace }: Run) => trace.flatMap((line) => / gets 500 for (\w+) /.exec(line)?.[1] ?? []);

describe('the variant of a fault', () => {
  const cases: [string, Scenario, Fault, Fault][] = [
    ['events held back, when no user step follows', inOneStep(copies(() => keepCopy)), lag, hold],
    ['a clock set back, when nobody reads it', copies(() => keepCopy), ahead, back],
  ];
  for (const [what, scenario, fault, variant] of cases) {
    test(`is left out when its run would be the same: ${what}`, async () => {
      const [first, second] = await runsWith(scenario, [fault, variant]);
      assert.ok(first !== undefined && second !== undefined);
      assert.deepEqual(variantsOf(fault, first.effects), []);
      assert.deepEqual(stepsOf(first), stepsOf(second));
      assert.deepEqual(first.violations, second.violations);
    });
  }

  const needed: [string, Scenario, Fault, Fault][] = [
    ['events held back over a user step', copies(() => keepCopy), lag, hold],
    ['a clock set back that is read', copies(() => readClock), ahead, back],
  ];
  for (const [what, scenario, fault, variant] of needed) {
    test(`is needed otherwise: ${what}`, async () => {
      const [run] = await runsWith(scenario, [fault]);
      assert.ok(run !== undefined);
      assert.deepEqual(variantsOf(fault, run.effects), [variant]);
    });
  }

  test('is a conflict, where a request is refused that changes something', async () => {
    const scenario = copies(() => keepCopy);
    const requests = (await runsWith(scenario, [ahead])).flatMap(({ operations }) => operations.get('copies')?.request);
    const all = Array.from({ length: requests[0] ?? 0 }, (_, index): Fault => ({ ...error, at: index + 1 }));
    const runs = await runsWith(scenario, all);
    for (const [index, run] of runs.entries()) {
      const fault: Fault = all[index] ?? error;
      const isRead = refusedMethods(run).includes('GET');
      assert.deepEqual(variantsOf(fault, run.effects), isRead ? [] : [{ ...fault, code: 409 }]);
    }
    assert.ok(runs.some((run) => refusedMethods(run).includes('POST')));
  });
});
