// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import { contract } from './contract.ts';
import { healthCheckFlows } from './test/flows/health-check.ts';
import { jobFlows } from './test/flows/jobs.ts';
import { secretsFlows } from './test/flows/secrets.ts';

describe('the contract of a Keystone', () => {
  const { observer, differences } = contractCoverage(contract);

  for (const declareTests of [secretsFlows, jobFlows, healthCheckFlows]) declareTests(observer);

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });
});
