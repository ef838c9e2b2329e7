// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { keystoneScenarios } from './scenarios.ts';
import { isOperator } from './sweep.ts';

describe('a Keystone ends as without faults wherever its operator crashes after a write', () => {
  for (const name of ['create managed', 'upgrade', 'delete']) {
    test(name, async () => {
      const keystone = await simulation(keystoneScenarios[name] as (typeof keystoneScenarios)[string]);
      await keystone.survivesEvery({ fault: 'crash', when: 'after' }, isOperator);
    });
  }
});
