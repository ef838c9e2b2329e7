// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readinessIn } from '@forge/simulation/outcome/readiness-in.ts';
import { checkSample } from '@forge/simulation/run/scenario-set.ts';
import { openbaoConditions } from '../../conditions/condition-catalog.ts';
import { openbaoScenarios } from './scenarios.ts';

describe('an OpenBaoCluster ends as without faults under a sample of single faults; all run in npm run simulate', () => {
  for (const name of Object.keys(openbaoScenarios.scenarios)) {
    test(name, async () => {
      const { endState } = await checkSample(openbaoScenarios, name);
      assert.equal(
        readinessIn(endState, 'openbaoclusters.openbao.org/default/demo', openbaoConditions),
        'Available NoReplicasReady',
      );
    });
  }
});
