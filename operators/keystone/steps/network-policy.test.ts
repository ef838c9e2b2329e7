// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deployment, NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { allReady, createCredentials, home, startKeystoneOperator, namesIn } from '../test/start-keystone-operator.ts';

describe('network isolation', () => {
  test('is there before anything else, admits the operator, and goes when it is no longer wanted', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    const networkPolicy = { ingress: [{ namespaceSelector: { team: 'identity' } }] };
    await client.create(Keystone, keystoneFixture({ networkPolicy }));
    await operator.untilCondition('NetworkPolicyReady', '+NetworkPolicyReady: NetworkPolicy is configured');
    const { spec } = await client.get(NetworkPolicy, home);
    const admitted = spec?.ingress?.[0]?.from?.map(({ namespaceSelector }) => namespaceSelector?.matchLabels);
    assert.deepEqual(admitted, [{ team: 'identity' }, { 'kubernetes.io/metadata.name': 'forge-system' }]);
    await createCredentials(operator);
    await operator.untilCondition('Ready', allReady);

    await client.patch(Keystone, home, 'merge', { spec: { networkPolicy: null } });
    await clock.settle();
    const text = '+NetworkPolicyNotRequired: Network isolation is not configured';
    assert.equal(await operator.condition('NetworkPolicyReady'), text);
    assert.deepEqual(await namesIn(operator, NetworkPolicy), []);
  });

  test('is awaited by the API pods when it cannot be written', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    const networkPolicy = { ingress: [{ namespaceSelector: { team: 'identity' } }] };
    const allow = await operator.deny('patch', NetworkPolicy);
    await createCredentials(operator);
    await client.create(Keystone, keystoneFixture({ networkPolicy }));
    const synced = '+DatabaseSynced: Database schema is up to date (revision verified)';
    await operator.untilCondition('DatabaseReady', synced);
    await clock.advance(minutes(1));
    assert.deepEqual(await namesIn(operator, Deployment), []);
    await allow();
    await operator.untilCondition('Ready', allReady);
  });
});
