// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deployment, HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { allReady, createKeystone, home, startKeystoneOperator, namesIn } from '../test/start-keystone-operator.ts';

describe('autoscaling', () => {
  test('follows the resource also while nothing else runs, and goes when it is no longer wanted', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    const autoscaling = { maxReplicas: 5, targetMemoryUtilization: 70 };
    await client.create(Keystone, keystoneFixture({ autoscaling }));
    await operator.untilCondition('HPAReady', '+HPAReady: HorizontalPodAutoscaler is configured');
    await client.patch(Keystone, home, 'merge', { spec: { autoscaling: { maxReplicas: 7 } } });
    await clock.settle();
    assert.equal((await client.get(HorizontalPodAutoscaler, home)).spec.maxReplicas, 7);

    await client.patch(Keystone, home, 'merge', { spec: { autoscaling: null } });
    await clock.settle();
    assert.equal(await operator.condition('HPAReady'), '+HPANotRequired: Autoscaling is not configured');
    assert.deepEqual(await namesIn(operator, HorizontalPodAutoscaler), []);
  });

  test('does not leave a Deployment at 0 that somebody scaled so', async () => {
    await using operator = await startKeystoneOperator();
    const { client } = operator.cluster;
    await createKeystone(operator, { autoscaling: { minReplicas: 2, maxReplicas: 5, targetCPUUtilization: 70 } });
    await operator.untilCondition('Ready', allReady);
    await client.patch(Deployment, home, 'merge', { spec: { replicas: 0 } });
    await operator.cluster.clock.until(async () => (await operator.deployment()).spec?.replicas === 2);
    await operator.untilCondition('Ready', allReady);
  });
});
