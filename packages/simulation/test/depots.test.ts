// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { simulation } from '../run/simulation.ts';
import { depotsScenario } from './depots-scenario.ts';

describe('an operator that uses every feature of steps', () => {
  test('ends as in the baseline run wherever it crashes after a write', async () => {
    const depots = await simulation(depotsScenario({ end: true }));
    await depots.survivesEvery({ fault: 'crash', when: 'after' });
  });

  test('ends as in the baseline run, with any fault', async () => {
    const depots = await simulation(depotsScenario({ end: false }));
    await depots.survives(8);
  });
});
