// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { scenarioOf } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { processName } from './operator.ts';
import { keystoneScenarios } from './scenarios.ts';

describe('a Keystone ends as without faults wherever its operator crashes after a write', () => {
  for (const name of ['create managed', 'upgrade', 'delete']) {
    test(name, async () => {
      const keystone = await simulation(scenarioOf(keystoneScenarios, name));
      await keystone.survivesEvery({ fault: 'crash', when: 'after' }, (process) => process === processName);
    });
  }
});
