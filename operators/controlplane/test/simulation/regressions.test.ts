// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import type { Fault } from '@forge/simulation/faults/fault-plan.ts';
import { scenarioOf } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { processName } from './operator.ts';
import { controlPlaneScenarios } from './scenarios.ts';

const hour = 3_600_000;

/** Runs a scenario with one fault of the operator; the seed orders what happens at the same time. */
async function check(name: string, seed: number, fault: Omit<Fault, 'process'>): Promise<void> {
  const simulated = await simulation(scenarioOf(controlPlaneScenarios, name));
  await simulated.check({ seed, faults: [{ ...fault, process: processName } as Fault] });
}

describe('a ControlPlane', () => {
  test('releases by force also the credential that it has deleted just before', () =>
    check('delete without Keystone', 8, { fault: 'crash', when: 'before', at: 8 } as Fault));

  test('releases by force also the Secrets of K-ORC when it is interrupted', () =>
    check('delete without K-ORC', 14, { fault: 'cut', when: 'after', at: 14 } as Fault));

  test('revokes its credential without K-ORC, although Keystone does not answer in the last moment', () =>
    check('delete without K-ORC', 3, { fault: 'outage', calls: 3, at: 3 } as Fault));

  test('releases its objects by force although the clock was set back', () =>
    check('delete without K-ORC', 9, { fault: 'jump', by: -hour, at: 9 } as Fault));

  test('creates again what K-ORC gave up on although the clock was set back', () =>
    check('rotate when K-ORC gives up', 8, { fault: 'jump', by: -hour, at: 8 } as Fault));
});
