// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { keystoneScenarios } from './scenarios.ts';
import { drawnPlans, isOperator, systematicPlans } from './sweep.ts';

/** Of each scenario one plan in this many runs here, and all in `npm run simulate`. */
const sampled = 400;

describe('a Keystone ends as without faults', () => {
  for (const name of ['create managed', 'upgrade', 'delete']) {
    test(`wherever its operator crashes after a write: ${name}`, async () => {
      const keystone = await simulation(keystoneScenarios[name] as (typeof keystoneScenarios)[string]);
      await keystone.survivesEvery({ fault: 'crash', when: 'after' }, isOperator);
    });
  }

  for (const [index, [name, scenario]] of Object.entries(keystoneScenarios).entries()) {
    test(`under a sample of all single faults, and a drawn plan: ${name}`, async () => {
      const keystone = await simulation(scenario);
      const { operations } = keystone.baseline;
      const single = systematicPlans(operations).filter((_, at) => at % sampled === (index * 11) % sampled);
      for (const plan of [...single, ...drawnPlans(operations, index + 1, 1)]) await keystone.check(plan);
    });
  }
});
