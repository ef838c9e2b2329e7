// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { fieldExercise } from '@forge/simulation/fields/exercise-fields.ts';
import { liveResource } from '@forge/simulation/fields/live-resource.ts';
import { environment } from '@forge/simulation/world/environment.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { CredentialRotation } from '../api/credential-rotation.ts';
import { controlPlaneConditions, rotationConditions } from '../conditions/condition-catalog.ts';
import { rotationController } from '../reconcile.ts';
import { completeControlPlanes } from './fields/complete-control-planes.ts';
import { liveControlPlane } from './fields/live-control-plane.ts';
import { createTarget, mintingProcess, rotationCluster, rotationOf } from './rotation-world.ts';

/** The number of writes for 64 cache servers, the maximum. */
const writesOfPods = 64 * 6;

describe('every field of a live ControlPlane', () => {
  const { exercise, unchanged } = fieldExercise<ControlPlane>(ControlPlane, {
    maxWrites: writesOfPods,
    conditions: controlPlaneConditions,
  });

  for (const [mode, controlPlane] of Object.entries(completeControlPlanes)) {
    test(`can be changed, removed and set beyond its bounds, and set back: ${mode}`, async () => {
      await using live = await liveControlPlane(controlPlane);
      assert.deepEqual(await exercise(live), []);
    });
  }

  test('was changed from a value that works', () => {
    assert.deepEqual(unchanged(), [], 'add them to test/fields/complete-control-planes.ts');
  });
});

test('every field of a live CredentialRotation can be changed, removed and set beyond its bounds, and set back', async () => {
  const { exercise, unchanged } = fieldExercise<CredentialRotation>(CredentialRotation, {
    conditions: rotationConditions,
  });
  const days = { intervalDays: 30, preRotationDays: 3, gracePeriodDays: 1 };
  await using live = await liveResource({
    from: await rotationCluster(createTarget),
    environment: environment({ workloads: false }),
    kind: CredentialRotation,
    resource: rotationOf({ bootstrap: false, reMint: true, ...days }),
    controllers: () => [rotationController({ reading: { secretStore: defaultSecretStore }, acting: {} })],
    processes: [mintingProcess()],
  });
  assert.deepEqual([await exercise(live), unchanged()], [[], []]);
});
