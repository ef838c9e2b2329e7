// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogCoverage } from '@forge/runtime/conditions/catalog-coverage.ts';
import { databaseFlows } from '../test/flows/database.ts';
import { deletedJobFlows } from '../test/flows/deleted-jobs.ts';
import { deletionFlows } from '../test/flows/deletion.ts';
import { deploymentFlows } from '../test/flows/deployment.ts';
import { healthCheckFlows } from '../test/flows/health-check.ts';
import { jobFlows } from '../test/flows/jobs.ts';
import { keyFlows } from '../test/flows/keys.ts';
import { optionalPartsFlows } from '../test/flows/optional-parts.ts';
import { otherDatabaseFlows } from '../test/flows/other-database.ts';
import { policyValidationFlows } from '../test/flows/policy-validation.ts';
import { rareRequestFlows } from '../test/flows/rare-requests.ts';
import { secretsFlows } from '../test/flows/secrets.ts';
import { upgradeChangeFlows } from '../test/flows/upgrade-changes.ts';
import { upgradeFlows } from '../test/flows/upgrade.ts';
import { rarePermissions } from '../test/rare-permissions.ts';
import { usedPermissions } from '../test/start-keystone-operator.ts';
import { keystoneConditions } from './condition-catalog.ts';

describe('the conditions of a Keystone', () => {
  const { observer, differences } = catalogCoverage(keystoneConditions);

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
});
