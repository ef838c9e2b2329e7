// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { scenarioOf } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { processName } from './operator.ts';
import { controlPlaneScenarios } from './scenarios.ts';

describe('a ControlPlane ends as without faults wherever its operator crashes after a write', () => {
  for (const name of ['rotate', 'delete brownfield']) {
    test(name, async () => {
      const controlPlane = await simulation(scenarioOf(controlPlaneScenarios, name));
      await controlPlane.survivesEvery({ fault: 'crash', when: 'after' }, (process) => process === processName);
    });
  }
});
