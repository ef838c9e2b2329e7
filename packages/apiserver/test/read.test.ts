// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WatchEvent } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap, Pod } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { configMap, pod } from './objects.ts';
import { testServer } from './test-server.ts';

describe('list', () => {
  test('selects by namespace, labels and fields', async () => {
    const { api } = await testServer();
    await api.create(ConfigMap, {
      ...configMap('a'),
      metadata: { name: 'a', namespace: 'default', labels: { app: 'x' } },
    });
    await api.create(ConfigMap, configMap('b', {}, 'kube-system'));
    await api.create(Pod, pod('p', 'node-1'));
    await api.create(Pod, pod('q'));
    const names = async (...query: Parameters<typeof api.list<ConfigMap>>): Promise<string[]> =>
      (await api.list(...query)).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(await names(ConfigMap), ['a', 'b']);
    assert.deepEqual(await names(ConfigMap, { namespace: 'kube-system' }), ['b']);
    assert.deepEqual(await names(ConfigMap, { labelSelector: 'app in (x,y)' }), ['a']);
    assert.deepEqual(await names(ConfigMap, { fieldSelector: 'metadata.name!=a' }), ['b']);
    const { items } = await api.list(Pod, { fieldSelector: 'spec.nodeName=node-1,status.phase=Pending' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['p'],
    );
    await assert.rejects(api.list(Pod, { fieldSelector: 'spec.colour=red' }), /field label not supported: spec.colour/);
    await assert.rejects(api.list(Pod, { labelSelector: 'a==,=' }), (error) => isApiError(error, 'BadRequest'));
  });

  test('pages through a consistent snapshot', async () => {
    const { api } = await testServer();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await api.create(ConfigMap, configMap(name));
    const first = await api.list(ConfigMap, { limit: 2 });
    await api.delete(ConfigMap, { namespace: 'default', name: 'c' });
    await api.create(ConfigMap, configMap('f'));
    const second = await api.list(ConfigMap, { limit: 2, continue: first.continue ?? '' });
    const third = await api.list(ConfigMap, { limit: 2, continue: second.continue ?? '' });
    const names = [first, second, third].map(({ items }) => items.map(({ metadata }) => metadata.name).join(''));
    assert.deepEqual(names, ['ab', 'cd', 'e']);
    assert.equal(third.resourceVersion, first.resourceVersion);
    assert.equal(third.continue, undefined);
    await assert.rejects(api.list(ConfigMap, { continue: 'nonsense' }), /continue key is not valid/);
  });

  test('returns a new continue token when the snapshot of its pages is compacted', async () => {
    const { api, server, get } = await testServer();
    for (const name of ['a', 'b', 'c']) await api.create(ConfigMap, configMap(name));
    const path = '/api/v1/namespaces/default/configmaps';
    const first = (await get(path, { limit: '1' })).body as { metadata: { continue: string } };
    await api.delete(ConfigMap, { namespace: 'default', name: 'b' });
    server.store.compact(server.store.current.revision);
    const expired = await get(path, { limit: '1', continue: first.metadata.continue });
    const { metadata, reason } = expired.body as { metadata: { continue: string }; reason: string };
    assert.deepEqual([expired.status, reason], [410, 'Expired']);
    const rest = await api.list(ConfigMap, { namespace: 'default', continue: metadata.continue });
    assert.deepEqual(
      rest.items.map((each) => each.metadata.name),
      ['c'],
    );
    const exact = { resourceVersion: '1', resourceVersionMatch: 'Exact' } as const;
    await assert.rejects(api.list(ConfigMap, exact), /The resourceVersion for the provided list is too old/);
  });

  test('is complete for any number of objects, with and without selectors', async () => {
    const { api, server } = await testServer();
    for (let index = 0; index < 1300; index += 1) {
      const name = String(index).padStart(4, '0');
      const labels = { parity: index % 2 === 0 ? 'even' : 'odd' };
      const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'default', labels } };
      server.store.commit(`configmaps/default/${name}`, undefined, object);
    }
    assert.equal((await api.list(ConfigMap)).items.length, 1300);
    const odd = await api.list(ConfigMap, { labelSelector: 'parity=odd', limit: 600 });
    assert.deepEqual([odd.items.length, odd.items.at(-1)?.metadata.name], [600, '1199']);
    const rest = await api.list(ConfigMap, { labelSelector: 'parity=odd', continue: odd.continue ?? '' });
    assert.equal(rest.items.length, 50);
  });

  test('returns a known revision, and rejects a future one', async () => {
    const { api } = await testServer();
    const { metadata } = await api.create(ConfigMap, configMap('a'));
    await api.create(ConfigMap, configMap('b'));
    const exact = await api.list(ConfigMap, {
      resourceVersion: metadata.resourceVersion ?? '',
      resourceVersionMatch: 'Exact',
    });
    assert.equal(exact.items.length, 1);
    await assert.rejects(api.list(ConfigMap, { resourceVersion: '999' }), /Too large resource version: 999/);
  });
});

/** Collects the given number of events of a watch. */
async function take(events: AsyncIterable<WatchEvent<ConfigMap>>, count: number): Promise<string[]> {
  const observed: string[] = [];
  for await (const { type, object } of events) {
    observed.push(`${type} ${object.metadata.name}`);
    if (observed.length === count) return observed;
  }
  return observed;
}

async function* firstTwo<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  let left = 2;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left === 0) return;
  }
}

function labelled(app: string): ConfigMap {
  return { ...configMap('a'), metadata: { name: 'a', namespace: 'default', labels: { app } } };
}

describe('watch', () => {
  test('sends the current objects, then every change', async () => {
    const { api } = await testServer();
    await api.create(ConfigMap, configMap('a'));
    const observed = take(api.watch(ConfigMap, { namespace: 'default' }), 4);
    await api.create(ConfigMap, configMap('b'));
    await api.create(ConfigMap, configMap('elsewhere', {}, 'kube-system'));
    await api.update(ConfigMap, configMap('a', { x: 'y' }));
    await api.delete(ConfigMap, { namespace: 'default', name: 'b' });
    assert.deepEqual((await observed).slice(-2), ['MODIFIED a', 'DELETED b']);
  });

  test('resumes after a revision, and sees objects start and stop matching its selector', async () => {
    const { api } = await testServer();
    const { metadata } = await api.create(ConfigMap, labelled('x'));
    await api.update(ConfigMap, labelled('y'));
    await api.update(ConfigMap, { ...labelled('y'), data: { still: 'out' } });
    await api.update(ConfigMap, labelled('x'));
    await api.delete(ConfigMap, { namespace: 'default', name: 'a' });
    const { resourceVersion = '' } = metadata;
    const observed = await take(api.watch(ConfigMap, { resourceVersion, labelSelector: 'app=x' }), 3);
    assert.deepEqual(observed, ['DELETED a', 'ADDED a', 'DELETED a']);
  });

  test('sends a bookmark every minute', async () => {
    const { api, clock } = await testServer();
    const { resourceVersion } = await api.list(ConfigMap);
    const observed = take(api.watch(ConfigMap, { resourceVersion, bookmarks: true }), 2);
    await clock.advance(minutes(2));
    assert.deepEqual(await observed, ['BOOKMARK undefined', 'BOOKMARK undefined']);
  });

  test('ends when the client aborts, when its timeout expires, and when the server closes', async () => {
    const { api, clock, server, transport } = await testServer();
    const abort = new AbortController();
    const aborted = take(api.watch(ConfigMap, { signal: abort.signal }), 99);
    await clock.settle();
    abort.abort();
    assert.deepEqual(await aborted, []);

    const query = { watch: 'true', timeoutSeconds: '60' };
    const timed = await transport.stream({ method: 'GET', path: '/api/v1/configmaps', query });
    const over = take(timed as AsyncIterable<WatchEvent<ConfigMap>>, 99);
    await clock.advance(minutes(1));
    assert.deepEqual(await over, []);

    const closed = take(api.watch(ConfigMap), 99);
    await clock.settle();
    await server.close();
    assert.deepEqual(await closed, []);
  });

  test('marks the end of the initial events on request', async () => {
    const { api, transport } = await testServer();
    await api.create(ConfigMap, configMap('a'));
    const query = {
      watch: 'true',
      sendInitialEvents: 'true',
      allowWatchBookmarks: 'true',
      resourceVersionMatch: 'NotOlderThan',
    };
    const events = await transport.stream({ method: 'GET', path: '/api/v1/configmaps', query });
    const [first, second] = await Array.fromAsync(firstTwo(events as AsyncIterable<WatchEvent<ConfigMap>>));
    assert.equal(first?.type, 'ADDED');
    assert.deepEqual(second?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
  });
});
