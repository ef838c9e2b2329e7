// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { scenarioOf, singleFaultPlans } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { openbaoScenarios } from './scenarios.ts';

const crashes = ['crash', 'crash-at-call', 'lost-reply'];

describe('an OpenBaoCluster ends as without faults wherever its operator crashes, or loses the reply of a server', () => {
  for (const name of ['create', 'delete with the claims']) {
    test(name, async () => {
      const simulated = await simulation(scenarioOf(openbaoScenarios, name));
      const plans = singleFaultPlans(openbaoScenarios, name, simulated.baseline);
      for (const plan of plans) {
        if (plan.faults.some(({ fault }) => crashes.includes(fault))) await simulated.check(plan);
      }
    });
  }
});
