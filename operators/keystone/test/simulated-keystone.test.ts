// SPDX-License-Identifier: Apache-2.0
import { test } from 'node:test';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { keystoneScenario } from './simulated-keystone.ts';

test('a Keystone ends as baseline wherever its operator crashes after a write, from creation to deletion', async () => {
  const keystone = await simulation(keystoneScenario);
  await keystone.survivesEvery({ fault: 'crash', when: 'after' });
});
