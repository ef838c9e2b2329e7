// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { simulation, type Simulation } from '../run/simulation.ts';
import { alone, elected } from './certificates-scenario.ts';

describe('webhook certificates', () => {
  let certificates: Simulation;

  before(async () => {
    certificates = await simulation(alone);
  });

  test('end as in the baseline run except for times, and are trusted throughout, with any fault', async () => {
    await certificates.survives(20);
    await certificates.survivesEvery({ fault: 'crash', when: 'after' });
    await certificates.survivesEvery({ fault: 'hold' });
  });

  test('end as in the baseline run when the leader changes', async () => {
    await (await simulation(elected)).survives(6);
  });

  test('are identical for the same plan, in any process, and differ for another', async () => {
    const [one, again, other] = [await certificates.run(7), await certificates.run(7), await certificates.run(8)];
    const leaves = one.trace.at(-1);
    assert.match(leaves ?? '', /^leaves /);
    assert.equal(again.trace.at(-1), leaves);
    assert.notEqual(other.trace.at(-1), leaves);

    const program = `
      import { simulation } from '${import.meta.resolve('../run/simulation.ts')}';
      import { alone } from '${import.meta.resolve('./certificates-scenario.ts')}';
      console.log((await (await simulation(alone)).run(7)).trace.at(-1));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    assert.equal(stdout.trim(), leaves);
  });
});
