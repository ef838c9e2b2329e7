// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogCoverage } from '@forge/runtime/conditions/catalog-coverage.ts';
import { adminCredentialFlows } from '../test/flows/admin-credential.ts';
import { catalogFlows } from '../test/flows/catalog.ts';
import { credentialFlows } from '../test/flows/credentials.ts';
import { deletionFlows } from '../test/flows/deletion.ts';
import { duplicateFlows } from '../test/flows/duplicate.ts';
import { infrastructureFlows } from '../test/flows/infrastructure.ts';
import { keystoneFlows } from '../test/flows/keystone.ts';
import { korcFlows } from '../test/flows/korc.ts';
import { rarePermissions } from '../test/rare-permissions.ts';
import { usedPermissions } from '../test/start-control-plane-operator.ts';
import { controlPlaneConditions, rotationConditions } from './condition-catalog.ts';

describe('the conditions of a ControlPlane', () => {
  const { observer, differences } = catalogCoverage(controlPlaneConditions);

  for (const declareTests of [
    infrastructureFlows,
    credentialFlows,
    keystoneFlows,
    korcFlows,
    adminCredentialFlows,
    catalogFlows,
    deletionFlows,
    duplicateFlows,
  ]) {
    declareTests(observer);
  }

  test('is what the operator reported in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });

  test('needs the permissions that an ordinary life does not use', () => {
    assert.deepEqual(
      Object.keys(rarePermissions).filter((permission) => !usedPermissions.has(permission)),
      [],
    );
  });
});

test('the operator has exactly the specified conditions', () => {
  assert.deepEqual(
    [...new Set(controlPlaneConditions.conditions.map(({ type }) => type))],
    [
      'Ready',
      'InfrastructureReady',
      'DBCredentialsReady',
      'AdminPasswordReady',
      'KeystoneReady',
      'KORCReady',
      'AdminCredentialReady',
      'CatalogReady',
    ],
  );
  assert.deepEqual([...new Set(rotationConditions.conditions.map(({ type }) => type))], ['Ready']);
});
