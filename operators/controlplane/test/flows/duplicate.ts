// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { allReady, startControlPlaneOperator, createControlPlane } from '../start-control-plane-operator.ts';

const second = { ...home, name: 'second' };

/** What is reported of a second ControlPlane in a namespace. */
export function duplicateFlows(observer: CatalogObserver): void {
  test('covers a second ControlPlane, which is parked without status fields or finalizer until the first is gone', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    await clock.advance(seconds(2));
    await client.create(ControlPlane, { ...controlPlaneFixture(), metadata: second });
    const readyOf = async () =>
      (await client.get(ControlPlane, second)).status?.conditions?.find(({ type }) => type === 'Ready');
    await clock.until(async () => (await readyOf()) !== undefined);
    assert.equal(
      (await readyOf())?.message,
      'parked: ControlPlane "controlplane" is older and owns namespace "openstack"; only one ControlPlane is permitted per namespace',
    );
    const { status, metadata } = await client.get(ControlPlane, second);
    assert.deepEqual([status?.updatePhase, status?.services, metadata.finalizers], [undefined, undefined, undefined]);
    assert.equal(await operator.condition('Ready'), allReady);

    await client.delete(ControlPlane, home);
    await clock.until(async () => (await readyOf())?.reason === 'NotAllReady');
  });
}
