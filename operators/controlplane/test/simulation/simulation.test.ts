// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readinessIn } from '@forge/simulation/outcome/readiness-in.ts';
import { checkSample } from '@forge/simulation/run/scenario-set.ts';
import { controlPlaneConditions } from '../../conditions/condition-catalog.ts';
import { controlPlaneScenarios, sampledScenarios } from './scenarios.ts';

describe('a ControlPlane ends as without faults under a sample of single faults and drawn plans; all run in npm run simulate', () => {
  for (const name of sampledScenarios) {
    test(name, async () => {
      const { endState } = await checkSample(controlPlaneScenarios, name);
      const end = readinessIn(endState, 'controlplanes.c5c3.io/openstack/controlplane', controlPlaneConditions);
      const isDeleted = name.startsWith('delete') && !name.includes('re-create');
      assert.equal(end, isDeleted ? 'gone' : 'Ready');
      const { credentials } = endState.get('outside') as { credentials: readonly unknown[] };
      assert.equal(credentials.length, isDeleted && name !== 'delete without Keystone' ? 0 : 1);
    });
  }
});
