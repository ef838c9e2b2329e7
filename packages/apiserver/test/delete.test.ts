// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap, Namespace, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject, OwnerReference } from '@forge/kube/objects/object.ts';
import { configMap, pod } from './objects.ts';
import { testServer } from './test-server.ts';

const a = { namespace: 'default', name: 'a' };
const b = { namespace: 'default', name: 'b' };

describe('delete', () => {
  test('removes an object and returns a Status', async () => {
    const { api, transport } = await testServer();
    const { metadata } = await api.create(ConfigMap, configMap('a'));
    const path = '/api/v1/namespaces/default/configmaps/a';
    const { body } = await transport.request({ method: 'DELETE', path });
    assert.deepEqual(body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
    });
    await assert.rejects(api.delete(ConfigMap, a), (error) => isApiError(error, 'NotFound'));
  });

  test('waits for finalizers, and rejects new ones', async () => {
    const { api, refused } = await testServer();
    const held = await api.create(ConfigMap, {
      ...configMap('a'),
      metadata: { ...a, finalizers: ['example.com/hold'] },
    });
    await api.delete(ConfigMap, a);
    const terminating = await api.get(ConfigMap, a);
    assert.ok(terminating.metadata.deletionTimestamp !== undefined);
    const more = { ...configMap('a'), metadata: { ...a, finalizers: ['example.com/hold', 'example.com/more'] } };
    const { message } = await refused('PUT', '/api/v1/namespaces/default/configmaps/a', more);
    assert.match(message ?? '', /no new finalizers can be added if the object is being deleted/);
    const { resourceVersion: _, ...metadata } = held.metadata;
    await api.update(ConfigMap, { ...held, metadata: { ...metadata, finalizers: [] } });
    assert.equal(await api.find(ConfigMap, a), undefined);
  });

  test('accepts a grace period that exceeds the range of dates', async () => {
    const { api } = await testServer();
    await api.create(Pod, pod('a', 'node-1'));
    await api.delete(Pod, a, { gracePeriodSeconds: Number.MAX_SAFE_INTEGER });
    const { metadata } = await api.get(Pod, a);
    assert.equal(metadata.deletionGracePeriodSeconds, Number.MAX_SAFE_INTEGER);
    assert.ok(Number.isFinite(Date.parse(metadata.deletionTimestamp ?? '')));
  });

  test('respects the grace period of a running pod, and removes an unscheduled one immediately', async () => {
    const { api } = await testServer();
    await api.create(Pod, pod('a', 'node-1'));
    await api.create(Pod, pod('b'));
    await api.delete(Pod, a);
    await api.delete(Pod, b);
    const { metadata } = await api.get(Pod, a);
    assert.deepEqual([metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds], ['2026-01-01T00:00:30Z', 30]);
    assert.equal(await api.find(Pod, b), undefined);
    await api.delete(Pod, a, { gracePeriodSeconds: 60 });
    assert.equal((await api.get(Pod, a)).metadata.deletionGracePeriodSeconds, 30);
    await api.delete(Pod, a, { gracePeriodSeconds: 5 });
    assert.equal((await api.get(Pod, a)).metadata.deletionGracePeriodSeconds, 5);
    await api.delete(Pod, a, { gracePeriodSeconds: 0 });
    assert.equal(await api.find(Pod, a), undefined);
  });

  test('respects preconditions and dry runs', async () => {
    const { api, transport } = await testServer();
    await api.create(ConfigMap, configMap('a'));
    await assert.rejects(
      api.delete(ConfigMap, a, { preconditions: { uid: 'other' } }),
      /the UID in the precondition \(other\) does not match the UID in record/,
    );
    const path = '/api/v1/namespaces/default/configmaps/a';
    await transport.request({ method: 'DELETE', path, body: { dryRun: ['All'] } });
    assert.ok(await api.find(ConfigMap, a));
  });

  test('is forbidden for system namespaces', async () => {
    const { api } = await testServer();
    await assert.rejects(
      api.delete(Namespace, { name: 'kube-system' }),
      /namespaces "kube-system" is forbidden: this namespace may not be deleted/,
    );
  });

  test('of a collection removes only the selected objects', async () => {
    const { api, transport } = await testServer();
    await api.create(ConfigMap, { ...configMap('a'), metadata: { ...a, labels: { app: 'x' } } });
    await api.create(ConfigMap, configMap('b'));
    const path = '/api/v1/namespaces/default/configmaps';
    await transport.request({ method: 'DELETE', path, query: { labelSelector: 'app=x' } });
    assert.deepEqual(
      (await api.list(ConfigMap)).items.map(({ metadata }) => metadata.name),
      ['b'],
    );
  });
});

function ownedBy({ apiVersion, kind, metadata }: KubeObject, blockOwnerDeletion = false): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion };
}

async function family(api: Client, blocking = false, finalizers: string[] = []): Promise<void> {
  const owner = await api.create(ConfigMap, configMap('a'));
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...b, finalizers, ownerReferences: [ownedBy(owner, blocking)] },
  };
  await api.create(Secret, secret);
}

describe('garbage collection', () => {
  test('deletes objects without an owner, of any kind', async () => {
    const { api, clock } = await testServer();
    await family(api);
    await api.delete(ConfigMap, a);
    await clock.settle();
    assert.equal(await api.find(Secret, b), undefined);
    const orphan = {
      ...configMap('c'),
      metadata: {
        namespace: 'default',
        name: 'c',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'never-was' }],
      },
    };
    await api.create(ConfigMap, orphan);
    await clock.settle();
    assert.equal(await api.find(ConfigMap, { namespace: 'default', name: 'c' }), undefined);
  });

  test('in the foreground keeps the owner until blocking dependents are gone', async () => {
    const { api, clock } = await testServer();
    await family(api, true, ['example.com/hold']);
    await api.delete(ConfigMap, a, { propagation: 'Foreground' });
    await clock.settle();
    assert.deepEqual((await api.get(ConfigMap, a)).metadata.finalizers, ['foregroundDeletion']);
    assert.ok((await api.get(Secret, b)).metadata.deletionTimestamp !== undefined);
    await api.patch(Secret, b, 'merge', { metadata: { finalizers: null } });
    await clock.settle();
    assert.equal(await api.find(Secret, b), undefined);
    assert.equal(await api.find(ConfigMap, a), undefined);
  });

  test('in the foreground leaves a dependent that has another owner, without the reference', async () => {
    const { api, clock } = await testServer();
    await family(api, true);
    const other = await api.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'other' },
    });
    const { ownerReferences = [] } = (await api.get(Secret, b)).metadata;
    const second = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: other.metadata.uid ?? '' };
    await api.patch(Secret, b, 'merge', { metadata: { ownerReferences: [...ownerReferences, second] } });
    await api.delete(ConfigMap, a, { propagation: 'Foreground' });
    await clock.settle();
    assert.equal(await api.find(ConfigMap, a), undefined);
    assert.deepEqual((await api.get(Secret, b)).metadata.ownerReferences, [second]);
    await api.delete(ConfigMap, { namespace: 'default', name: 'other' });
    await clock.settle();
    assert.equal(await api.find(Secret, b), undefined);
  });

  test('keeps orphans and removes their owner references', async () => {
    const { api, clock } = await testServer();
    await family(api);
    await api.delete(ConfigMap, a, { propagation: 'Orphan' });
    await clock.settle();
    assert.equal(await api.find(ConfigMap, a), undefined);
    assert.equal((await api.get(Secret, b)).metadata.ownerReferences, undefined);
  });
});

describe('a namespace', () => {
  test('that is deleted deletes its content, and rejects new objects', async () => {
    const { api, clock, refused } = await testServer();
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await api.create(ConfigMap, configMap('a', {}, 'team'));
    const held = {
      ...configMap('b', {}, 'team'),
      metadata: { name: 'b', namespace: 'team', finalizers: ['example.com/hold'] },
    };
    await api.create(ConfigMap, held);
    await api.delete(Namespace, { name: 'team' });
    const terminating = await api.get(Namespace, { name: 'team' });
    assert.equal(terminating.status?.phase, 'Terminating');
    await clock.settle();
    assert.deepEqual(
      (await api.list(ConfigMap, { namespace: 'team' })).items.map(({ metadata }) => metadata.name),
      ['b'],
    );
    const { code, message } = await refused('POST', '/api/v1/namespaces/team/configmaps', configMap('c', {}, 'team'));
    assert.equal(code, 403);
    assert.equal(
      message,
      'configmaps "c" is forbidden: unable to create new content in namespace team because it is being terminated',
    );
    await api.patch(ConfigMap, { namespace: 'team', name: 'b' }, 'merge', { metadata: { finalizers: null } });
    await clock.settle();
    assert.equal(await api.find(Namespace, { name: 'team' }), undefined);
  });
});
