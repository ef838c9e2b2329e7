// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { Service } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { ControlPlane } from '../../control-plane.ts';
import { home } from '../../test/control-plane-fixture.ts';
import { allReady } from '../../test/control-plane-operator.ts';
import { at, readyControlPlane } from '../../test/credential-steps.ts';
import { korcObjects } from '../../test/script-korc.ts';

test('objects of K-ORC that are being deleted while the cloud gets another name go all the same, and come back', async () => {
  await using operator = await readyControlPlane();
  const { client, clock } = operator.cluster;
  const objects = Object.values(korcObjects);
  const uids = () =>
    Promise.all(objects.map(async ({ kind, name }) => (await client.find<KubeObject>(kind, at(name)))?.metadata.uid));
  const before = await uids();
  await operator.neighbours.korc.stop();
  for (const { kind, name } of objects) await client.delete(kind, at(name));
  const korc = { adminCredential: { cloudCredentialsRef: { cloudName: 'forge' } } };
  await client.patch(ControlPlane, home, 'merge', { spec: { korc } });
  // Before K-ORC looks again, the entry of the earlier name is gone.
  await clock.advance(seconds(1));
  await operator.neighbours.korc.start();
  await clock.advance(minutes(2));
  const after = await uids();
  const kept = objects.filter((_, index) => after[index] === before[index]).map(({ name }) => name);
  assert.deepEqual(kept, []);
  assert.equal(await operator.condition('Ready'), allReady);
});

test('a Service of an earlier ControlPlane is awaited, and keeps its login', async () => {
  await using operator = await readyControlPlane();
  const { client, clock } = operator.cluster;
  await operator.neighbours.korc.stop();
  await operator.stop();
  const [owner] = (await client.get(Service, at(korcObjects.service.name))).metadata.ownerReferences ?? [];
  const change = { metadata: { ownerReferences: [{ ...owner, uid: 'earlier' }] } };
  await client.patch(Service, at(korcObjects.service.name), 'merge', change);
  const korc = { adminCredential: { cloudCredentialsRef: { cloudName: 'forge' } } };
  await client.patch(ControlPlane, home, 'merge', { spec: { korc } });
  await operator.start();
  await clock.advance(seconds(30));
  assert.match((await operator.condition('CatalogReady')) ?? '', /^WaitingForCatalog: /);
  const { spec } = await client.get(Service, at(korcObjects.service.name));
  assert.equal(spec.cloudCredentialsRef.cloudName, 'admin');
});
