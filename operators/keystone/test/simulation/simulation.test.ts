// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readinessIn } from '@forge/simulation/outcome/readiness-in.ts';
import { checkSample } from '@forge/simulation/run/scenario-set.ts';
import { keystoneConditions } from '../../conditions/condition-catalog.ts';
import { keystoneScenarios } from './scenarios.ts';

describe('a Keystone ends as without faults under a sample of single faults and drawn plans; all run in npm run simulate', () => {
  for (const name of Object.keys(keystoneScenarios.scenarios)) {
    test(name, async () => {
      const { endState } = await checkSample(keystoneScenarios, name);
      const end = readinessIn(endState, 'keystones.keystone.openstack.c5c3.io/openstack/identity', keystoneConditions);
      if (name.endsWith('keys taken')) assert.match(end, /^CredentialKeysReady \w+, .*Ready/);
      else assert.equal(end, name.startsWith('delete') && !name.includes('re-create') ? 'gone' : 'Ready');
      if (name === 'MariaDB replaced') {
        const { databases, users } = endState.get('outside') as { databases: string[]; users: object };
        assert.deepEqual([databases, Object.keys(users)], [['keystone'], ['identity@%']]);
      }
    });
  }
});
