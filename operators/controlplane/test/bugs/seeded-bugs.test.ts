// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { declareBugTests } from '@forge/testing/bugs/operator-bugs.ts';
import { ruleNames } from '../simulation/rule-names.ts';
import { sampledScenarios } from '../simulation/scenarios.ts';
import { seededBugs } from './seeded-bugs.ts';

// All of them: npm run bugs -- controlplane
declareBugTests('controlplane', seededBugs, ['External Secrets reads before it has pushed']);

test('each bug that a simulation catches names one that npm test runs', () => {
  const simulated = seededBugs.filter(({ caughtBy: [file] }) => file.endsWith('/simulation.test.ts'));
  assert.deepEqual(
    simulated.map(({ caughtBy: [, scenario] }) => scenario).filter((each) => !sampledScenarios.includes(each)),
    [],
  );
});

describe('each rule of the simulation is violated by a seeded bug:', () => {
  for (const name of Object.values(ruleNames)) {
    test(name, () => assert.ok(seededBugs.some(({ reports }) => reports === name)));
  }
});
