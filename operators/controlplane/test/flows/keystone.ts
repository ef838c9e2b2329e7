// SPDX-License-Identifier: Apache-2.0
import { test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { home } from '../control-plane-fixture.ts';
import { startControlPlaneOperator, createControlPlane } from '../start-control-plane-operator.ts';

/** What is reported about the Keystone. */
export function keystoneFlows(observer: CatalogObserver): void {
  test('covers the Keystone, from the infrastructure that it waits for to its own readiness', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: ['externalSecrets'] });
    const { client, clock } = operator.cluster;
    const untilStarts = (text: string) =>
      clock.until(async () => (await operator.condition('KeystoneReady'))?.startsWith(text));
    // The schema does not see what is less than a millisecond.
    await createControlPlane(operator, { services: { keystone: { rotationInterval: '24h1us' } } });
    const noInfrastructure = 'InfrastructureReady is not True; Keystone projection deferred';
    await operator.untilCondition('KeystoneReady', `WaitingForInfrastructure: ${noInfrastructure}`);
    await operator.neighbours.mariadb.start();
    await operator.neighbours.memcached.start();
    await untilStarts('InvalidRotationInterval: invalid keystone rotation interval: unsupported rotation interval ');

    const allow = await operator.deny('patch', Keystone);
    const spec = { services: { keystone: { rotationInterval: '48h' } } };
    await client.patch(ControlPlane, home, 'merge', { spec });
    await untilStarts('KeystoneError: create-or-update Keystone: Keystone controlplane-keystone was refused: ');
    await allow();
    await operator.untilCondition('KeystoneReady', 'WaitingForKeystone: Keystone "controlplane-keystone" is not ready');
    await operator.neighbours.keystone.start();
    await operator.untilCondition('KeystoneReady', '+KeystoneReady: Projected Keystone CR is ready');
  });
}
