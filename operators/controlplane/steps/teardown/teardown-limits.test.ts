// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential, Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { minutes, now, seconds } from '@forge/runtime/environment/duration.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { brownfield, home } from '../../test/control-plane-fixture.ts';
import { at, passwordCloudName, readyControlPlane, reconcileAt } from '../../test/credential-steps.ts';
import { korcObjects } from '../../test/script-korc.ts';
import {
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  type ControlPlaneOperator,
} from '../../test/start-control-plane-operator.ts';

const guards = ['openstack.k-orc.cloud/endpoint'];

const isGone = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.find(ControlPlane, home)) === undefined;

describe('a deletion that K-ORC does not finish', () => {
  test('leaves the revocation to K-ORC for a minute, and revokes the credential itself after that', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(55));
    assert.equal(operator.keystone.state.credentials.size, 1);
    await clock.advance(seconds(10));
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.equal(await isGone(operator), false);
  });

  test('is forced when it is older than five minutes, and not when it is just as old', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    // It answers, but with errors only.
    operator.keystone.health = 'without database';
    await client.delete(ControlPlane, home);
    await clock.settle();
    const { deletionTimestamp = '' } = (await operator.controlPlane()).metadata;
    const limit = Date.parse(deletionTimestamp) + minutes(5);
    await reconcileAt(operator, limit);
    assert.equal(await isGone(operator), false);
    operator.writes();
    await reconcileAt(operator, limit + 1);
    assert.equal(await isGone(operator), true);
    assert.ok(operator.writes().includes('DELETE applicationcredentials/controlplane-admin-app-credential'));
  });

  test('is forced for every object, also one that the pass has just deleted and the cache does not show', async () => {
    await using operator = await readyControlPlane({
      lag: (path) => (path.includes('/applicationcredentials') ? seconds(1) : now),
    });
    const { client, clock } = operator.cluster;
    const held = { metadata: { finalizers: [...guards, 'example.com/hold'] } };
    await client.patch(Endpoint, at(korcObjects.endpoint.name), 'merge', held);
    await operator.neighbours.korc.stop();
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(6));
    assert.equal(await isGone(operator), true);
    assert.deepEqual((await client.list(ApplicationCredential)).items, []);
  });

  test('is forced for the Secrets before the objects: an interruption in between must not leave them held', async () => {
    let failures = 0;
    const before = async ({ method, path }: ApiRequest) => {
      if (failures === 0 || method !== 'PATCH' || !path.endsWith(`/secrets/${passwordCloudName.name}`)) return;
      failures -= 1;
      throw refusal(503, 'ServiceUnavailable', 'not today');
    };
    await using operator = await readyControlPlane({ before });
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(4));
    failures = 1;
    await clock.advance(minutes(2));
    assert.equal(failures, 0);
    assert.equal(await isGone(operator), true);
    await clock.advance(minutes(1));
    assert.equal(await client.find(Secret, passwordCloudName), undefined);
  });

  test('is retried at a bounded rate when a release is refused, although K-ORC puts its finalizers back', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.deny('patch', Service);
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(5));
    operator.writes();
    await clock.advance(minutes(1));
    assert.equal(await isGone(operator), false);
    const writes = operator.writes();
    assert.ok(writes.length < 300, `${writes.length} writes`);
  });

  test('is forced after five and a half minutes of watching by an operator whose clock is behind', async () => {
    await using operator = await readyControlPlane({ clockBehind: minutes(60) });
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(325));
    assert.equal(await isGone(operator), false);
    await clock.advance(seconds(15));
    assert.equal(await isGone(operator), true);
    const { items } = await client.list(Event, { namespace: home.namespace });
    assert.ok(items.some(({ reason }) => reason === 'ORCTeardownStalled'));
  });
});

test('a deletion does not wait for Keystone where no credential was ever minted', async () => {
  await using operator = await startControlPlaneOperator({ wanted: [] });
  const { client, clock } = operator.cluster;
  operator.keystone.health = 'down';
  await createCredentials(operator);
  await createControlPlane(operator, { infrastructure: brownfield });
  await clock.settle();
  await client.delete(ControlPlane, home);
  await clock.advance(seconds(11));
  assert.equal(await isGone(operator), true);
});
