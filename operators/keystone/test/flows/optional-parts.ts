// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { Keystone } from '../../api/keystone.ts';
import { acceptRoute, gateway } from '../http-route.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { allReady, createCredentials, home, startKeystoneOperator } from '../start-keystone-operator.ts';

/** What is reported about the optional parts of a Keystone. */
export function optionalPartsFlows(observer: CatalogObserver): void {
  test('covers isolation, autoscaling, the purge of trusts and logging, with and without each', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    const { client } = operator.cluster;
    await createCredentials(operator);
    const { trustFlush: _, ...spec } = keystoneFixture().spec;
    await client.create(Keystone, { ...keystoneFixture(), spec });
    await operator.untilCondition('Ready', allReady);
    assert.ok((await operator.events()).includes('TrustFlushBypass'));
    const networkPolicy = { ingress: [{ namespaceSelector: {} }] };
    const autoscaling = { maxReplicas: 5, targetCPUUtilization: 80 };
    const extraConfig = { DEFAULT: { use_stderr: 'false' } };
    await client.patch(Keystone, home, 'merge', { spec: { networkPolicy, autoscaling, extraConfig, trustFlush: {} } });
    await operator.untilCondition('HPAReady', '+HPAReady: HorizontalPodAutoscaler is configured');
    await operator.untilCondition('NetworkPolicyReady', '+NetworkPolicyReady: NetworkPolicy is configured');
    await operator.untilCondition('TrustFlushReady', '+TrustFlushReady: Trust flush CronJob is configured');
    assert.match((await operator.condition('LoggingHealthy')) ?? '', /^StderrDisabled: .*use_stderr="false"/);
    assert.ok((await operator.events()).includes('LoggingStderrDisabled'));
  });

  test('covers a gateway: Gateway API is missing, the route is not accepted, it is', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createCredentials(operator);
    await operator.cluster.client.create(Keystone, keystoneFixture({ gateway }));
    await operator.cluster.clock.until(async () =>
      (await operator.condition('HTTPRouteReady'))?.startsWith('GatewayAPINotInstalled: '),
    );
    await installKind(operator.cluster, HTTPRoute);
    await operator.untilCondition('HTTPRouteReady', 'HTTPRouteNotAccepted: HTTPRoute not yet accepted by Gateway');
    await operator.cluster.clock.until(async () => (await operator.cluster.client.find(HTTPRoute, home)) !== undefined);
    await acceptRoute(operator);
    await operator.untilCondition('HTTPRouteReady', '+HTTPRouteAccepted: HTTPRoute accepted by Gateway');
  });
}
