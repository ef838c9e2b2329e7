// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import { contractPage } from '@forge/runtime/contract/contract-page.ts';
import { controlPlaneContract, rotationContract } from './contract.ts';
import { usedPermissions } from './test/control-plane-operator.ts';
import { adminCredentialFlows } from './test/flows/admin-credential.ts';
import { catalogFlows } from './test/flows/catalog.ts';
import { credentialFlows } from './test/flows/credentials.ts';
import { deletionFlows } from './test/flows/deletion.ts';
import { duplicateFlows } from './test/flows/duplicate.ts';
import { infrastructureFlows } from './test/flows/infrastructure.ts';
import { keystoneFlows } from './test/flows/keystone.ts';
import { korcFlows } from './test/flows/korc.ts';
import { rarePermissions } from './test/rare-permissions.ts';

describe('the contract of a ControlPlane', () => {
  const { observer, enterTest, differences, testsOf } = contractCoverage(controlPlaneContract);
  beforeEach((context) => enterTest((context as TestContext).name));

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

  // After a change: npm run docs:contract
  test('is printed for users, with the tests that observe each row', (context) => {
    const page = contractPage('ControlPlane', controlPlaneContract, testsOf);
    context.assert.fileSnapshot(page, 'docs/reference/control-plane-contract.md', { serializers: [String] });
  });
});

test('the operator has exactly the specified conditions', () => {
  assert.deepEqual(
    [...new Set(controlPlaneContract.conditions.map(({ type }) => type))],
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
  assert.deepEqual([...new Set(rotationContract.conditions.map(({ type }) => type))], ['Ready']);
});
