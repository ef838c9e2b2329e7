// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogCoverage } from '@forge/runtime/conditions/catalog-coverage.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { rotationFlows } from '../test/flows/rotation.ts';
import { rotationConditions } from './condition-catalog.ts';

describe('the conditions of a CredentialRotation', () => {
  const { observer, differences } = catalogCoverage(rotationConditions);

  rotationFlows(observer);

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });

  test('requeues where it waits for something, and nowhere else', () => {
    const requeued = rotationConditions.conditions.filter(({ recheck }) => recheck !== undefined);
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
});
