// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import { contractPage } from '@forge/runtime/contract/contract-page.ts';
import { contract } from './contract.ts';
import { databaseFlows } from './test/flows/database.ts';
import { deletedJobFlows } from './test/flows/deleted-jobs.ts';
import { deletionFlows } from './test/flows/deletion.ts';
import { deploymentFlows } from './test/flows/deployment.ts';
import { healthCheckFlows } from './test/flows/health-check.ts';
import { jobFlows } from './test/flows/jobs.ts';
import { keyFlows } from './test/flows/keys.ts';
import { optionalPartsFlows } from './test/flows/optional-parts.ts';
import { otherDatabaseFlows } from './test/flows/other-database.ts';
import { policyValidationFlows } from './test/flows/policy-validation.ts';
import { rareRequestFlows } from './test/flows/rare-requests.ts';
import { secretsFlows } from './test/flows/secrets.ts';
import { upgradeChangeFlows } from './test/flows/upgrade-changes.ts';
import { upgradeFlows } from './test/flows/upgrade.ts';
import { usedPermissions } from './test/keystone-operator.ts';
import { rarePermissions } from './test/rare-permissions.ts';

describe('the contract of a Keystone', () => {
  const { observer, enterTest, differences, testsOf } = contractCoverage(contract);
  beforeEach((context) => enterTest((context as TestContext).name));

  for (const declareTests of [
    secretsFlows,
    keyFlows,
    optionalPartsFlows,
    jobFlows,
    databaseFlows,
    upgradeFlows,
    upgradeChangeFlows,
    deletedJobFlows,
    otherDatabaseFlows,
    policyValidationFlows,
    deploymentFlows,
    healthCheckFlows,
    deletionFlows,
    rareRequestFlows,
  ]) {
    declareTests(observer);
  }

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });

  test('needs the permissions that an ordinary life does not use', () => {
    assert.deepEqual(
      Object.keys(rarePermissions).filter((permission) => !usedPermissions.has(permission)),
      [],
    );
  });

  // After a change: npm run docs:contract
  test('is printed for users, with the tests that observe each row', (context) => {
    context.assert.fileSnapshot(contractPage('Keystone', contract, testsOf), 'docs/reference/keystone-contract.md', {
      serializers: [String],
    });
  });
});
