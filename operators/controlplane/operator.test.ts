// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInProcess } from '@forge/testing/run-in-process.ts';
import { ControlPlane } from './api/control-plane.ts';
import { CredentialRotation } from './api/credential-rotation.ts';
import { controlPlaneOperator } from './operator.ts';
import { controlPlaneFixture, home } from './test/control-plane-fixture.ts';

describe('the operator process', () => {
  test('runs both controllers where no other operator is installed', async () => {
    await using running = await runInProcess(controlPlaneOperator, { namespace: home.namespace });
    const { client, clock } = running;
    const rotation = { ...home, name: 'rotate' };
    const { apiVersion } = ControlPlane;
    const spec = { target: 'adminApplicationCredential' } as const;
    await client.create(CredentialRotation, { apiVersion, kind: 'CredentialRotation', metadata: rotation, spec });
    const reasonOf = async () => (await client.get(CredentialRotation, rotation)).status?.conditions?.[0]?.reason;
    await clock.until(async () => (await reasonOf()) === 'NoControlPlane');
    await client.create(ControlPlane, controlPlaneFixture());
    await clock.until(async () => (await reasonOf()) === 'WaitingForApplicationCredential');
    await clock.until(async () => (await client.get(ControlPlane, home)).status?.observedGeneration === 1);
    const { managedFields = [] } = (await client.get(ControlPlane, home)).metadata;
    assert.ok(
      managedFields.some(({ manager, subresource }) => manager === 'c5c3-operator' && subresource === 'status'),
    );
    assert.equal(await running.stop(), 0);
  });

  test('is known by its names: of the process, the Lease and the kinds', () => {
    assert.deepEqual(
      [controlPlaneOperator.name, controlPlaneOperator.lease],
      ['c5c3-operator', 'c5c3.openstack.c5c3.io'],
    );
    const names = controlPlaneOperator.kinds.map(({ kind }) => kind);
    assert.deepEqual(names, ['ControlPlane', 'CredentialRotation', 'SecretAggregate']);
  });
});
