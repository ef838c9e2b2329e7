// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Service } from '@forge/kube/third-party/korc.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { home } from '../control-plane-fixture.ts';
import { cloudsYamlName, createMinted, credentialName, setSynced, textIn } from '../credential-steps.ts';
import { refusedRequests } from '../refused-requests.ts';
import { korcObjects, setKorc } from '../script-korc.ts';
import { allReady, startControlPlaneOperator, createControlPlane, secret } from '../start-control-plane-operator.ts';

const waiting = 'WaitingForCatalog: Keystone identity Service and Endpoint are registered but not yet Available';
const registered = '+CatalogRegistered: Keystone identity Service and Endpoint are registered and Available';

const failed = (what: string) => `CatalogFailed: K-ORC reported a terminal error registering the identity ${what}`;

/** What is reported about the entries of the service catalog. */
export function catalogFlows(observer: CatalogObserver): void {
  test('covers the registration, which counts for the current spec only', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: ['keystone'] });
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
    const { user, service, endpoint } = korcObjects;
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

    const finalizers = ['openstack.k-orc.cloud/applicationcredential'];
    await client.patch(Service, { ...home, name: service.name }, 'merge', { metadata: { finalizers } });
    await setKorc(client, user, { available: 'u2' });
    assert.equal(
      await said(),
      'CatalogStale: identity Service "controlplane-identity-service" is that of an earlier Keystone, and guarded by openstack.k-orc.cloud/applicationcredential; delete it and what refers to it, and it is created again',
    );
    await client.delete(Service, { ...home, name: service.name });
    assert.equal(await said(), waiting);
  });

  for (const [what, pattern, text] of [
    ['Service', /PATCH .*\/services\//, /^ServiceError: create-or-update identity Service: /],
    ['Endpoint', /PATCH .*\/endpoints\//, /^EndpointError: create-or-update identity Endpoint: /],
  ] as const) {
    test(`covers the refusal of the ${what}`, async () => {
      const refused = refusedRequests();
      refused.pattern = pattern;
      await using operator = await startControlPlaneOperator({ observer, ...refused });
      await createControlPlane(operator);
      await operator.cluster.clock.advance(seconds(30));
      assert.match((await operator.condition('CatalogReady')) ?? '', text);
      refused.pattern = undefined;
      await operator.untilCondition('Ready', allReady);
    });
  }
}
