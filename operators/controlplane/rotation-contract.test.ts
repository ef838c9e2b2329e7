// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import { contractPage } from '@forge/runtime/contract/contract-page.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { rotationContract } from './contract.ts';
import { rotationFlows } from './test/flows/rotation.ts';

describe('the contract of a CredentialRotation', () => {
  const { observer, enterTest, differences, testsOf } = contractCoverage(rotationContract);
  beforeEach((context) => enterTest((context as TestContext).name));

  rotationFlows(observer);

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });

  test('requeues where it waits for something, and nowhere else', () => {
    const requeued = rotationContract.conditions.filter(({ recheck }) => recheck !== undefined);
    const waits = [
      'NoControlPlane',
      'WaitingForBootstrap',
      'WaitingForApplicationCredential',
      'WaitingForAdminPassword',
      'SecretStoreNotReady',
    ];
    assert.deepEqual(
      requeued.map(({ reason, recheck }) => [reason, recheck]),
      waits.map((reason) => [reason, seconds(10)]),
    );
  });

  // After a change: npm run docs:contract
  test('is printed for users, with the tests that observe each row', (context) => {
    const page = contractPage('CredentialRotation', rotationContract, testsOf);
    context.assert.fileSnapshot(page, 'docs/reference/credential-rotation-contract.md', { serializers: [String] });
  });
});
