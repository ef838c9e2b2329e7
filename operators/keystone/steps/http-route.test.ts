// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Service } from '@forge/kube/kinds/builtin.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { acceptRoute, gateway } from '../test/http-route.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import {
  allReady,
  createCredentials,
  createKeystone,
  home,
  startKeystoneOperator,
  namesIn,
} from '../test/start-keystone-operator.ts';

const notAccepted = 'HTTPRouteNotAccepted: HTTPRoute not yet accepted by Gateway';

describe('the HTTPRoute', () => {
  test('is written once the Service is there, counts when its Gateway accepts this very state of it, and goes', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: [HTTPRoute] });
    const { client, clock } = operator.cluster;
    await client.create(Keystone, keystoneFixture({ gateway }));
    await clock.advance(seconds(30));
    assert.equal(await operator.condition('HTTPRouteReady'), notAccepted);
    assert.deepEqual(await namesIn(operator, HTTPRoute), []);

    await createCredentials(operator);
    await operator.untilCondition('BootstrapReady', '+BootstrapComplete: Keystone bootstrap completed successfully');
    assert.equal(await operator.condition('HTTPRouteReady'), notAccepted);
    await acceptRoute(operator);
    await operator.untilCondition('Ready', allReady);
    assert.equal((await operator.keystone()).status?.endpoint, 'https://keystone.example.com/v3');
    assert.equal(
      await operator.condition('KeystoneAPIReady'),
      '+APIHealthy: Keystone API is responding at http://identity.openstack.svc.cluster.local:5000/v3',
    );

    const change = {
      spec: { gateway: { hostname: 'identity.example.com', annotations: { 'example.com/limit': '5' } } },
    };
    await client.patch(Keystone, home, 'merge', change);
    await clock.settle();
    assert.equal(await operator.condition('HTTPRouteReady'), notAccepted);
    await acceptRoute(operator);
    await operator.untilCondition('Ready', allReady);
    const route = await client.get(HTTPRoute, home);
    assert.deepEqual(route.spec.hostnames, ['identity.example.com']);
    assert.deepEqual(route.metadata.annotations, { 'example.com/limit': '5' });
    await client.patch(Keystone, home, 'merge', { spec: { gateway: { annotations: null } } });
    await clock.settle();
    assert.equal((await client.get(HTTPRoute, home)).metadata.annotations, undefined);

    await client.patch(Keystone, home, 'merge', { spec: { gateway: null } });
    await clock.settle();
    const text = '+HTTPRouteNotRequired: External API exposure via Gateway API is not configured';
    assert.equal(await operator.condition('HTTPRouteReady'), text);
    assert.deepEqual(await namesIn(operator, HTTPRoute), []);
  });

  test('does not lead to a Service of somebody else', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: [HTTPRoute] });
    const { client, clock } = operator.cluster;
    const spec = { selector: { app: 'other' }, ports: [{ port: 5000 }] };
    await client.create(Service, { apiVersion: 'v1', kind: 'Service', metadata: home, spec });
    await createCredentials(operator);
    await client.create(Keystone, keystoneFixture({ gateway }));
    await clock.advance(minutes(1));
    assert.equal(await operator.condition('HTTPRouteReady'), notAccepted);
    assert.deepEqual(await namesIn(operator, HTTPRoute), []);
  });

  test('does not lead to a Service that is being deleted, and does to the next one', async () => {
    await using operator = await startKeystoneOperator(undefined, { kinds: [HTTPRoute] });
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await client.patch(Service, home, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    await client.delete(Service, home);
    await client.patch(Keystone, home, 'merge', { spec: { gateway } });
    await clock.advance(minutes(1));
    assert.equal(await operator.condition('HTTPRouteReady'), notAccepted);
    assert.deepEqual(await namesIn(operator, HTTPRoute), []);
    await client.patch(Service, home, 'merge', { metadata: { finalizers: null } });
    await clock.until(async () => (await namesIn(operator, HTTPRoute)).length === 1);
  });

  test('that is missing with Gateway API itself keeps nothing else from running', async () => {
    await using operator = await startKeystoneOperator();
    await createCredentials(operator);
    await operator.cluster.client.create(Keystone, keystoneFixture({ gateway }));
    await operator.untilCondition('BootstrapReady', '+BootstrapComplete: Keystone bootstrap completed successfully');
    assert.match(
      (await operator.condition('HTTPRouteReady')) ?? '',
      /^GatewayAPINotInstalled: spec\.gateway is set but/,
    );
    assert.match((await operator.condition('Ready')) ?? '', /^NotAllReady/);
  });
});
