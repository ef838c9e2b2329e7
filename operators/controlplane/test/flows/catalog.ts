// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { ControlPlane } from '../../control-plane.ts';
import { home } from '../control-plane-fixture.ts';
import { allReady, controlPlaneOperator, createControlPlane, secret } from '../control-plane-operator.ts';
import { cloudsYamlName, createMinted, credentialName, setSynced, textIn } from '../credential-steps.ts';
import { refusedRequests } from '../refused-requests.ts';
import { korcObjects, setKorc } from '../script-korc.ts';

const waiting = 'WaitingForCatalog: Keystone identity Service and Endpoint are registered but not yet Available';
const registered = '+CatalogRegistered: Keystone identity Service and Endpoint are registered and Available';

const failed = (what: string) => `CatalogFailed: K-ORC reported a terminal error registering the identity ${what}`;

/** What is said of the entries of the service catalog. */
export function catalogFlows(observer: ContractObserver): void {
  test('covers the registration, which counts for the current spec only', async () => {
    await using operator = await controlPlaneOperator({ observer, wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    const said = async () => {
      await clock.settle();
      return await operator.condition('CatalogReady');
    };
    await createMinted(operator);
    assert.equal(
      await said(),
      'WaitingForAdminCredential: AdminCredentialReady is not True; catalog registration deferred',
    );
    for (const what of ['store', 'push', 'sync'] as const) await setSynced(operator, what);
    const document = (await textIn(operator, credentialName.name)) ?? '';
    await client.create(Secret, secret(cloudsYamlName.name, { 'clouds.yaml': document }));
    const { service, endpoint } = korcObjects;
    assert.equal(await said(), waiting);
    await setKorc(client, endpoint, { terminal: 'no such URL' });
    assert.equal(await said(), failed('Endpoint "controlplane-identity-endpoint": no such URL'));
    await setKorc(client, endpoint, 'pending');
    await setKorc(client, service, { available: 's1' });
    assert.equal(await said(), waiting);
    await setKorc(client, endpoint, { terminal: 'no such URL' });
    assert.equal(await said(), failed('Endpoint "controlplane-identity-endpoint": no such URL'));
    await setKorc(client, service, { terminal: 'two of them' });
    assert.equal(await said(), failed('Service "controlplane-identity-service": two of them'));
    await setKorc(client, service, { available: 's1' });
    await setKorc(client, endpoint, { available: 'e1' });
    assert.equal(await said(), registered);

    const services = { keystone: { publicEndpoint: 'https://keystone.example.com/v3' } };
    await client.patch(ControlPlane, home, 'merge', { spec: { services } });
    assert.equal(await said(), waiting);
    await setKorc(client, endpoint, { available: 'e1' }, 1);
    assert.equal(await said(), waiting);
    await setKorc(client, endpoint, { available: 'e1' });
    assert.equal(await said(), registered);
  });

  for (const [what, pattern, text] of [
    ['Service', /PATCH .*\/services\//, /^ServiceError: create-or-update identity Service: /],
    ['Endpoint', /PATCH .*\/endpoints\//, /^EndpointError: create-or-update identity Endpoint: /],
  ] as const) {
    test(`covers the refusal of the ${what}`, async () => {
      const refused = refusedRequests();
      refused.pattern = pattern;
      await using operator = await controlPlaneOperator({ observer, ...refused });
      await createControlPlane(operator);
      await operator.cluster.clock.advance(seconds(30));
      assert.match((await operator.condition('CatalogReady')) ?? '', text);
      refused.pattern = undefined;
      await operator.untilCondition('Ready', allReady);
    });
  }
}
