// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FaultKind } from '@forge/simulation/faults/fault-plan.ts';
import { scenarioOf } from '@forge/simulation/run/scenario-set.ts';
import { simulation, type Simulation } from '@forge/simulation/run/simulation.ts';
import { processName } from './operator.ts';
import { controlPlaneScenarios } from './scenarios.ts';

const hour = 3_600_000;
const simulations = new Map<string, Promise<Simulation>>();

/** The simulation of a scenario, prepared once. */
function simulationOf(name: string): Promise<Simulation> {
  const prepared = simulations.get(name) ?? simulation(scenarioOf(controlPlaneScenarios, name));
  simulations.set(name, prepared);
  return prepared;
}

/** Runs a scenario with one fault of the operator; the number is that of its operation, and orders what happens at once. */
async function check(name: string, at: number, fault: FaultKind): Promise<void> {
  await (await simulationOf(name)).check({ seed: at, faults: [{ ...fault, process: processName, at }] });
}

test('a ControlPlane ends as without faults wherever its operator crashes after a write of a rotation', async () => {
  const rotation = await simulationOf('rotate');
  await rotation.survivesEvery({ fault: 'crash', when: 'after' }, (process) => process === processName);
});

test('a ControlPlane without resync notices that others have revoked its application credential', async () => {
  const { endState } = (await simulationOf('revoked by others')).baseline;
  const { credentials } = endState.get('outside') as { credentials: readonly unknown[] };
  assert.equal(credentials.length, 1);
});

// Found by simulation.
describe('a ControlPlane', () => {
  test('releases by force also the credential that it has deleted just before', () =>
    check('delete without Keystone', 8, { fault: 'crash', when: 'before' }));

  test('releases by force also the Secrets of K-ORC when it is interrupted', () =>
    check('delete without K-ORC', 14, { fault: 'cut', when: 'after' }));

  test('revokes its credential without K-ORC, although Keystone does not answer in the last moment', () =>
    check('delete without K-ORC', 3, { fault: 'outage', calls: 3 }));

  for (const fault of [{ fault: 'crash-at-call', when: 'after' }, { fault: 'lost-reply' }] as const) {
    test(`revokes its credential without K-ORC although it never sees the reply: ${JSON.stringify(fault)}`, async () => {
      const [call] = (await simulationOf('delete without K-ORC')).baseline.changingCalls.get(processName) ?? [];
      assert.ok(call !== undefined, 'the credential is revoked by a call');
      await check('delete without K-ORC', call, fault);
    });
  }

  test('releases its objects by force although the clock was set back', () =>
    check('delete without K-ORC', 9, { fault: 'jump', by: -hour }));

  test('is deleted with its Keystone although the reply is lost that released it', () =>
    check('delete with a slow K-ORC', 16, { fault: 'cut', when: 'after' }));

  test('can be created again although its operator observes the deletion late', () =>
    check('delete and re-create', 1, { fault: 'hold' }));

  test('creates again what K-ORC gave up on although the clock was set back', () =>
    check('rotate when K-ORC gives up', 8, { fault: 'jump', by: -hour }));
});
