// SPDX-License-Identifier: Apache-2.0
import { before, describe, test } from 'node:test';
import { simulation, type Simulation } from '../simulation.ts';
import { depotsScenario } from './depots-scenario.ts';

describe('an operator that does one of each thing that steps can do', () => {
  let depots: Simulation;

  before(async () => {
    depots = await simulation(depotsScenario);
  });

  test('ends as undisturbed wherever it crashes after a write', async () => {
    await depots.survivesEvery({ fault: 'crash', when: 'after' });
  });

  test('ends as undisturbed, whatever goes wrong', async () => {
    await depots.survives(20);
  });
});
