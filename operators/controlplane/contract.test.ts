// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { controlPlaneContract, rotationContract } from './contract.ts';

describe('the contract of the operator', () => {
  test('has exactly the specified conditions, all but Ready counted by it', () => {
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
});
