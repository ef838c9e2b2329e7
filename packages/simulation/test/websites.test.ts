// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { FaultKind } from '../faults/fault-plan.ts';
import { simulation, type Simulation } from '../run/simulation.ts';
import { alone, elected } from './websites-scenario.ts';

const anywhere: readonly FaultKind[] = [
  { fault: 'crash', when: 'before' },
  { fault: 'crash', when: 'after' },
  { fault: 'cut', when: 'after' },
  { fault: 'refuse', code: 409 },
  { fault: 'break' },
  { fault: 'expire' },
  { fault: 'lag' },
  { fault: 'hold' },
  { fault: 'outage', calls: 3 },
];

describe('the sample operator', () => {
  let websites: Simulation;

  before(async () => {
    websites = await simulation(alone);
  });

  test('ends as in the baseline run, with any fault', async () => {
    await websites.survives(50);
  });

  for (const fault of anywhere) {
    test(`ends as in the baseline run with this fault at any operation: ${JSON.stringify(fault)}`, async () => {
      await websites.survivesEvery(fault);
    });
  }

  test('ends as in the baseline run when its leader freezes after any write and another replica takes over', async () => {
    const leaders = await simulation(elected);
    await leaders.survivesEvery({ fault: 'freeze', for: seconds(25) });
    await leaders.survives(10);
  });

  test('gives the same run for the same seed, and a different one for another seed', async () => {
    const { baseline } = websites;
    assert.equal((await websites.replay(baseline.plan)).traceHash, baseline.traceHash);
    const hashes = [7, 7, 8].map(async (seed) => (await websites.run(seed)).traceHash);
    const [one, again, other] = await Promise.all(hashes);
    assert.equal(one, again);
    assert.notEqual(one, other);
  });
});
