// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readinessIn } from '@forge/simulation/outcome/readiness-in.ts';
import { checkSample } from '@forge/simulation/run/scenario-set.ts';
import { specimenConditions } from '../../conditions/condition-catalog.ts';
import { specimenScenarios } from './scenarios.ts';

describe('a Specimen ends as without faults under a sample of single faults; all run in npm run simulate', () => {
  for (const name of Object.keys(specimenScenarios.scenarios)) {
    test(name, async () => {
      const { endState } = await checkSample(specimenScenarios, name);
      assert.equal(readinessIn(endState, 'specimens.specimen.c5c3.io/default/first', specimenConditions), 'Ready');
    });
  }
});
