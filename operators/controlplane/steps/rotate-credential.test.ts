// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import type { Scenario } from '@forge/simulation/scenario/scenario.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { CredentialRotation } from '../api/credential-rotation.ts';
import {
  changeRotation,
  controlPlane,
  mintingProcess,
  passwordSecret,
  rotationCluster,
  rotationOf,
  rotationProcess,
  rotationProcessName,
} from '../test/rotation-world.ts';

/** A credential is minted, and replaced twice on request. */
const scenario: Scenario = {
  from: rotationCluster,
  newRun() {
    const minting = mintingProcess();
    return {
      processes: [minting, rotationProcess()],
      steps: [
        async (user) => {
          await user.create(Secret, passwordSecret());
          await user.create(ControlPlane, controlPlane());
        },
        (user) => user.create(CredentialRotation, rotationOf({ reMint: true })),
        (user) => changeRotation(user, { gracePeriodDays: 1 }),
      ],
      outside: () => ({ minted: minting.minted() }),
    };
  },
};

const isOperator = (process: string) => process === rotationProcessName;

describe('a rotation on request', () => {
  test('mints exactly one credential more, wherever the operator crashes and whatever of its requests fails', async () => {
    const rotations = await simulation(scenario);
    assert.deepEqual(rotations.baseline.endState.get('outside'), { minted: 3 });
    await rotations.survivesEvery({ fault: 'crash', when: 'before' }, isOperator);
    await rotations.survivesEvery({ fault: 'crash', when: 'after' }, isOperator);
    await rotations.survivesEvery({ fault: 'refuse', code: 409 }, isOperator);
  });
});
