// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { simulation } from '../run/simulation.ts';
import { depotsScenario } from './depots-scenario.ts';

describe('an operator that does one of each thing that steps can do', () => {
  test('ends as baseline wherever it crashes after a write', async () => {
    const depots = await simulation(depotsScenario({ end: true }));
    await depots.survivesEvery({ fault: 'crash', when: 'after' });
  });

  test('ends as baseline, whatever goes wrong', async () => {
    const depots = await simulation(depotsScenario({ end: false }));
    await depots.survives(20);
  });
});
