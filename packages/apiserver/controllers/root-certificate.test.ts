// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Namespace } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { testServer } from '../test/test-server.ts';

const ref = { namespace: 'shop', name: 'kube-root-ca.crt' };
const shop: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

describe('the root CA ConfigMap', () => {
  test('is in every namespace before the create request returns, and is restored when deleted or changed', async () => {
    const { api, clock } = await testServer({ authority: 'one' });
    await api.create(Namespace, shop);
    const made = await api.get(ConfigMap, ref);
    assert.deepEqual(made.data, { 'ca.crt': 'one' });
    assert.match(made.metadata.annotations?.['kubernetes.io/description'] ?? '', /^Contains a CA bundle/);
    assert.deepEqual(
      made.metadata.managedFields?.map(({ manager }) => manager),
      ['kube-controller-manager'],
    );

    await api.patch(ConfigMap, ref, 'merge', { metadata: { annotations: null }, data: { 'ca.crt': 'mine', more: '' } });
    const corrected = await api.get(ConfigMap, ref);
    assert.deepEqual([corrected.data, corrected.metadata.annotations], [made.data, made.metadata.annotations]);
    await api.delete(ConfigMap, ref);
    assert.notEqual((await api.get(ConfigMap, ref)).metadata.uid, made.metadata.uid);

    await api.delete(Namespace, shop.metadata);
    await clock.until(async () => (await api.find(Namespace, shop.metadata)) === undefined);
    assert.equal(await api.find(ConfigMap, ref), undefined);
  });

  test('is corrected at a limited rate when another publisher keeps changing it', async () => {
    const { api, clock, server } = await testServer({ authority: 'one' });
    await api.create(Namespace, shop);
    const { revision } = server.store.current;
    const rival = server.store.subscribe('configmaps', () => {
      const stored = server.store.current.objects.get('configmaps/shop/kube-root-ca.crt');
      if (
        (stored?.value as ConfigMap | undefined)?.data?.['ca.crt'] !== 'one' ||
        server.store.current.revision > 10_000
      )
        return;
      // As soon as it is observed, but not in the same turn of the event loop.
      queueMicrotask(() => void api.patch(ConfigMap, ref, 'merge', { data: { 'ca.crt': 'two' } }));
    });
    await api.patch(ConfigMap, ref, 'merge', { data: { 'ca.crt': 'two' } });
    await clock.advance(seconds(56));
    const writes = server.store.current.revision - revision;
    assert.ok(writes > 10 && writes < 40, `${writes} writes of both in 56 seconds`);
    rival();
    await clock.advance(minutes(2));
    assert.deepEqual((await api.get(ConfigMap, ref)).data, { 'ca.crt': 'one' });
    await api.delete(Namespace, shop.metadata);
    await clock.until(async () => (await api.find(Namespace, shop.metadata)) === undefined);
    await api.create(Namespace, shop);
    assert.ok(await api.find(ConfigMap, ref), 'a recreated namespace has it immediately');
  });

  test('replaces an older one, and is absent without a CA', async () => {
    const { server } = await testServer({ authority: 'one' });
    const { api: renewed } = await testServer({ forkOf: server, authority: 'two' });
    assert.deepEqual((await renewed.get(ConfigMap, { ...ref, namespace: 'kube-system' })).data, { 'ca.crt': 'two' });
    const { api: bare } = await testServer();
    assert.deepEqual((await bare.list(ConfigMap)).items, []);
  });
});
