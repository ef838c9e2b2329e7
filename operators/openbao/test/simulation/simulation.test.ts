// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readinessIn } from '@forge/simulation/outcome/readiness-in.ts';
import { checkSample } from '@forge/simulation/run/scenario-set.ts';
import { openbaoConditions } from '../../conditions/condition-catalog.ts';
import type { KeptData } from './kept-data.ts';
import { openbaoScenarios } from './scenarios.ts';

/** The ends of the scenarios after which the cluster is not Ready; one that was created in its scenario leaves no trace. */
const ends: Readonly<Record<string, string>> = {
  'change the configuration, and hold fewer replicas': 'Degraded ScaleDownHeld',
  'delete while a server leaves': 'gone',
  delete: 'gone',
  'delete with the claims': 'gone',
  'delete everything': 'gone',
  'delete while paused': 'gone',
  'delete in the foreground': 'gone',
  'delete without what depends on it': 'gone',
  'delete and re-create smaller, with a lower version': 'Degraded ScaleDownHeld',
};

describe('an OpenBaoCluster ends as without faults under a sample of single faults and drawn plans; all run in npm run simulate', () => {
  for (const name of Object.keys(openbaoScenarios.scenarios)) {
    test(name, async () => {
      const { endState } = await checkSample(openbaoScenarios, name);
      const end = readinessIn(endState, 'openbaoclusters.openbao.org/default/demo', openbaoConditions);
      assert.equal(end, ends[name] ?? 'Ready');
      const { tokenWorks, keyFits, outdated } = endState.get('outside') as KeptData;
      assert.deepEqual([tokenWorks === false, keyFits === false, outdated], [false, false, []]);
    });
  }
});
