// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { simulation, type Simulation } from '../run/simulation.ts';
import { alone, elected } from './certificates-scenario.ts';

describe('the certificates of webhooks', () => {
  let certificates: Simulation;

  before(async () => {
    certificates = await simulation(alone);
  });

  test('end as baseline but for their times, and are trusted all the while, whatever goes wrong', async () => {
    await certificates.survives(20);
    await certificates.survivesEvery({ fault: 'crash', when: 'after' });
    await certificates.survivesEvery({ fault: 'hold' });
  });

  test('end as baseline when leaders change', async () => {
    await (await simulation(elected)).survives(6);
  });

  test('are the same byte by byte by the same plan, in whichever process, and others by another one', async () => {
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
