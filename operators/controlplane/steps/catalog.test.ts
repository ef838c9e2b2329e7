// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { home } from '../test/control-plane-fixture.ts';
import { at, readyControlPlane } from '../test/credential-steps.ts';
import { korcObjects, setKorc } from '../test/script-korc.ts';
import { allReady } from '../test/start-control-plane-operator.ts';

const service = at(korcObjects.service.name);
const endpoint = at(korcObjects.endpoint.name);

describe('the catalog', () => {
  test('has the identity service that bootstrap created, adopted, and its public endpoint', async () => {
    await using operator = await readyControlPlane();
    const { client } = operator.cluster;
    const { services, endpoints } = operator.keystone.state.resources;
    assert.equal(services.size, 1);
    assert.equal(endpoints.size, 3);
    const live = await client.get(Service, service);
    assert.equal(live.status?.id, [...services.keys()][0]);
    assert.deepEqual(live.metadata.ownerReferences, [controllerReference(await operator.controlPlane())]);
  });

  test('follows the public endpoint', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const services = { keystone: { publicEndpoint: 'https://keystone.example.com/v3' } };
    await client.patch(ControlPlane, home, 'merge', { spec: { services } });
    await clock.settle();
    await operator.untilCondition('Ready', allReady);
    const urls = [...operator.keystone.state.resources.endpoints.values()].map(({ url }) => url);
    assert.ok(urls.includes('https://keystone.example.com/v3'));
  });

  for (const [what, kinds] of [
    ['Service is', [Service]],
    ['Endpoint is', [Endpoint]],
    ['objects are', [Service, Endpoint]],
  ] as const) {
    test(`stays in Keystone when its ${what} deleted, and is registered again`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      const { services, endpoints } = operator.keystone.state.resources;
      const before = [...services.keys(), ...endpoints.keys()];
      for (const kind of kinds) await client.delete(kind, kind.kind === 'Service' ? service : endpoint);
      await clock.advance(seconds(15));
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual([...services.keys(), ...endpoints.keys()], before);
    });
  }

  test('has an entry that K-ORC gave up on created again, once it is five minutes old and Keystone answers', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const uid = async () => (await client.get(Service, service)).metadata.uid;
    const first = await uid();
    await operator.neighbours.korc.stop();
    operator.keystone.health = 'without database';
    await setKorc(client, korcObjects.service, { terminal: 'gone' });
    await clock.advance(minutes(6));
    assert.equal(await uid(), first);
    assert.match((await operator.condition('CatalogReady')) ?? '', /^CatalogFailed: /);
    operator.keystone.health = 'up';
    await operator.neighbours.korc.start();
    await clock.advance(seconds(20));
    await operator.untilCondition('Ready', allReady);
    assert.notEqual(await uid(), first);
  });
});
