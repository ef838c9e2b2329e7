// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndState } from '@forge/simulation/outcome/end-state.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import type { Keystone } from '../../keystone.ts';
import { keystoneScenarios, startScenarios } from './scenarios.ts';
import { drawnPlans, systematicPlans } from './sweep.ts';

/** Of each scenario one plan in this many runs here, and all in `npm run simulate`. */
const sampled = 400;

/** What became of the Keystone; one that did not change was Ready before. */
function endOf(endState: EndState): string {
  const found = endState.get('keystones.keystone.openstack.c5c3.io/openstack/identity') ?? 'Ready';
  if (typeof found === 'string') return found;
  const { conditions = [] } = (found as Keystone).status ?? {};
  const untrue = conditions.filter(({ status }) => status !== 'True');
  return untrue.length === 0 ? 'Ready' : untrue.map(({ type, reason }) => `${type} ${reason}`).join(', ');
}

describe('a Keystone ends as without faults under a sample of all single faults, and a drawn plan', () => {
  for (const [index, [name, scenario]] of Object.entries(keystoneScenarios).entries()) {
    test(name, async () => {
      const keystone = await simulation(scenario);
      const { operations, endState } = keystone.baseline;
      const all = systematicPlans(keystone.baseline, startScenarios.includes(name));
      assert.match(endOf(endState), name.startsWith('delete') && !name.includes('re-create') ? /^gone$/ : /^Ready$/);
      const single = all.filter((_, at) => at % sampled === (index * 11) % sampled);
      for (const plan of [...single, ...drawnPlans(operations, index + 1, 1)]) await keystone.check(plan);
    });
  }
});
