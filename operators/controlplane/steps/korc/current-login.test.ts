// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, type StatusReason } from '@forge/kube/errors/api-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { Service } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { identityService } from '../../objects/korc/catalog.ts';
import { controlPlaneFixture, home } from '../../test/control-plane-fixture.ts';
import { at, readyControlPlane } from '../../test/credential-steps.ts';
import { korcObjects } from '../../test/script-korc.ts';
import { allReady } from '../../test/start-control-plane-operator.ts';
import { withCurrentLogin } from './current-login.ts';

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

describe('the login of an object that is being deleted', () => {
  const controlPlane = { ...controlPlaneFixture(), metadata: { ...home, uid: 'u1' } };
  const terminating = (deletionTimestamp?: string): Service => ({
    ...identityService(controlPlane),
    metadata: {
      name: korcObjects.service.name,
      ownerReferences: [controllerReference(controlPlane)],
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
  });
  const answered = (live: Service, reason: StatusReason) =>
    withCurrentLogin(Service, live, 'clouds', {
      object: controlPlane,
      patch: () =>
        Promise.reject(
          new ApiError({ apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', reason, message: reason }),
        ),
    });

  test('is of no account when the object is gone meanwhile', async () => {
    const live = terminating('2026-01-01T00:00:00Z');
    assert.equal(await answered(live, 'NotFound'), live);
  });

  test('is missed when the server refuses it, or when a live object is gone', async () => {
    await assert.rejects(answered(terminating('2026-01-01T00:00:00Z'), 'Forbidden'), /Forbidden/);
    await assert.rejects(answered(terminating(), 'NotFound'), /NotFound/);
  });
});
