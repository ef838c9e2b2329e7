// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes } from '../environment/duration.ts';
import { sharedCache, type SharedCache } from './cache.ts';
import { cachingClient } from './caching-client.ts';
import type { ReadStore } from './namespace-stores.ts';

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

function labelled(name: string, app: string): ConfigMap {
  const plain = configMap(name, { k: '1', big: 'x' });
  return { ...plain, metadata: { ...plain.metadata, labels: { app } } };
}

function stored(store: ReadStore<ConfigMap>): string[] {
  return store.list().map(({ metadata }) => metadata.name);
}

function inside(namespace: string): ConfigMap {
  return { ...configMap(''), metadata: { name: 'a', namespace } };
}

function places(store: ReadStore<ConfigMap>): string[] {
  return store.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

describe('a cache of one namespace', () => {
  let cluster: TestCluster;
  let stop: AbortController;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await cluster[Symbol.asyncDispose]();
  });

  test('contains nothing of other namespaces, not even its own writes, unless it watches them too', async () => {
    const cache = sharedCache({
      ...cluster,
      client: cluster.connection.client,
      namespaces: ['default'],
      fieldManagers: new Set(),
    });
    const client = cachingClient(cluster.connection.client, cache);
    const [home, system] = [cache.open(ConfigMap), cache.open(ConfigMap, { namespace: 'kube-system' })];
    await cache.start(stop.signal);
    for (const namespace of ['default', 'kube-system', 'kube-public']) {
      const metadata = { name: `in-${namespace}`, namespace };
      await client.create(ConfigMap, { ...configMap(''), metadata });
      assert.equal(cache.get(ConfigMap, metadata) !== undefined, namespace !== 'kube-public');
    }
    await cluster.clock.settle();
    assert.deepEqual([home, system].map(stored), [['in-default'], ['in-kube-system']]);
  });

  for (const namespaces of [undefined, ['default'], ['default', 'kube-public']]) {
    test(`does not wait for an optional scope that the server refuses, beside ${namespaces?.join(' and ') ?? 'all'}`, async () => {
      const cache = sharedCache({
        ...cluster,
        client: cluster.connection.client,
        ...(namespaces && { namespaces }),
        fieldManagers: new Set(),
      });
      const elsewhere = { namespace: 'kube-system' };
      cache.open(Secret);
      const system = cache.open(ConfigMap, { ...elsewhere, optional: true });
      await cluster.client.create(ConfigMap, inside('kube-system'));
      cluster.connection.intercept = ({ path }) => {
        if (path.includes('/namespaces/kube-system/')) throw refusal(403, 'Forbidden', 'not here');
      };
      await cache.start(stop.signal);
      assert.deepEqual(cache.list(ConfigMap, {}, elsewhere), []);
      assert.equal(cache.isSynced('default'), true);
      const [warning] = cluster.logged.filter(({ level }) => level === 'warn');
      assert.equal(warning?.fields['path'], '/api/v1/namespaces/kube-system/configmaps');
      await cluster.clock.advance(minutes(10));
      assert.ok(cache.staleness() < minutes(1));
      cluster.connection.intercept = () => undefined;
      await cluster.clock.advance(minutes(1));
      assert.deepEqual(places(system), ['kube-system/a']);
    });
  }

  test('waits for a refused scope if one of its readers needs it', async () => {
    const cache = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    const store = cache.open(ConfigMap, { namespace: 'default', optional: true });
    assert.equal(cache.open(ConfigMap, { namespace: 'default' }), store);
    let isRefused = true;
    cluster.connection.intercept = () => {
      if (isRefused) throw refusal(403, 'Forbidden', 'not here');
    };
    const started = cache.start(stop.signal).then(() => cluster.clock.now());
    await cluster.clock.advance(minutes(1));
    isRefused = false;
    const allowed = cluster.clock.now();
    await cluster.clock.advance(minutes(1));
    assert.ok((await started) > allowed);
  });

  test('reads all objects by default, although a single namespace was opened before', async () => {
    const cache = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    const system = cache.open(ConfigMap, { namespace: 'kube-system' });
    const all = cache.open(ConfigMap);
    for (const namespace of ['default', 'kube-system']) await cluster.client.create(ConfigMap, inside(namespace));
    await cache.start(stop.signal);
    assert.deepEqual(cache.list(ConfigMap), all.list());
    assert.deepEqual([system, all].map(places), [['kube-system/a'], ['default/a', 'kube-system/a']]);
  });
});

describe('a cache of several namespaces', () => {
  let cluster: TestCluster;
  let cache: SharedCache;
  let client: Client;
  let stop: AbortController;
  const namespaces = ['kube-system', 'default'];

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    cache = sharedCache({ ...cluster, client: cluster.connection.client, namespaces, fieldManagers: new Set() });
    client = cachingClient(cluster.connection.client, cache);
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await cluster[Symbol.asyncDispose]();
  });

  test('watches each of them by a request of its own, and shows them as one, in order', async () => {
    const store = cache.open(ConfigMap);
    const changes: string[] = [];
    store.onChange(({ after, before }) => changes.push((after ?? before)?.metadata.namespace ?? ''));
    for (const namespace of [...namespaces, 'kube-public']) await cluster.client.create(ConfigMap, inside(namespace));
    await cache.start(stop.signal);
    await cluster.clock.settle();
    const paths = namespaces.map((namespace) => `/api/v1/namespaces/${namespace}/configmaps`);
    const requests = ['GET', 'WATCH'].flatMap((method) => paths.map((path) => `${method} ${path}`));
    assert.deepEqual(cluster.connection.requests.toSorted(), requests.toSorted());
    assert.deepEqual(places(store), ['default/a', 'kube-system/a']);
    for (const namespace of namespaces) await cluster.client.delete(ConfigMap, { namespace, name: 'a' });
    await cluster.clock.settle();
    assert.deepEqual(places(store), []);
    assert.deepEqual(changes.toSorted(), ['default', 'default', 'kube-system', 'kube-system']);
  });

  test('shows own writes at once, although the watch of another namespace is further', async () => {
    const store = cache.open(ConfigMap);
    await cache.start(stop.signal);
    await cluster.clock.settle();
    const release = cluster.connection.holdWatches('/namespaces/default/configmaps');
    const written = await client.create(ConfigMap, inside('default'));
    await cluster.client.create(ConfigMap, inside('kube-system'));
    await cluster.clock.settle();
    const renewed = await client.update(ConfigMap, { ...written, data: { k: '1' } });
    assert.deepEqual(store.get(renewed.metadata)?.data, { k: '1' });
    assert.deepEqual(places(store), ['default/a', 'kube-system/a']);
    await client.delete(ConfigMap, renewed.metadata);
    assert.deepEqual(places(store), ['kube-system/a']);
    release();
    await cluster.clock.settle();
    assert.deepEqual(places(store), ['kube-system/a']);
    const deleted = ['default', 'kube-system', 'kube-public'].map((namespace) => ({ namespace, name: 'a' }));
    assert.deepEqual(
      deleted.map((ref) => store.wasDeleted(ref)),
      [true, false, false],
    );
  });

  test('does not wait for one that the server refuses, and reports it as synced once it is allowed', async () => {
    const synced: string[] = [];
    const store = cache.open(ConfigMap);
    cache.open(Secret);
    cache.onSynced((namespace) => synced.push(namespace));
    for (const namespace of namespaces) await cluster.client.create(ConfigMap, inside(namespace));
    cluster.connection.intercept = ({ path }) => {
      if (path.includes('/namespaces/default/')) throw refusal(403, 'Forbidden', 'not here');
    };
    await cache.start(stop.signal);
    assert.deepEqual(synced, ['kube-system']);
    assert.deepEqual(
      [...namespaces, 'elsewhere', undefined].map((each) => cache.isSynced(each)),
      [true, false, true, true],
    );
    assert.deepEqual(places(store), ['kube-system/a']);
    await cluster.clock.advance(minutes(10));
    // The process need not be restarted for it.
    assert.ok(cache.staleness() < minutes(1));
    cluster.connection.intercept = () => undefined;
    await cluster.clock.advance(minutes(1));
    assert.deepEqual(synced, ['kube-system', 'default']);
    assert.deepEqual(places(store), ['default/a', 'kube-system/a']);
  });
});

describe('a cache of selected objects', () => {
  let cluster: TestCluster;
  let cache: SharedCache;
  let client: Client;
  let stop: AbortController;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    cache = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    client = cachingClient(cluster.connection.client, cache);
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await cluster[Symbol.asyncDispose]();
  });

  test('watches each selection once, stores nothing else, and reads the only one there is', async () => {
    const web = cache.open(ConfigMap, { labels: 'app=web' });
    assert.equal(cache.open(ConfigMap, { labels: 'app=web' }), web);
    await cluster.client.create(ConfigMap, labelled('a', 'web'));
    await cache.start(stop.signal);
    await cluster.client.create(ConfigMap, labelled('b', 'db'));
    await cluster.client.create(ConfigMap, labelled('c', 'web'));
    await cluster.clock.settle();
    assert.deepEqual(cluster.connection.requests, ['GET /api/v1/configmaps', 'WATCH /api/v1/configmaps']);
    assert.deepEqual(stored(web), ['a', 'c']);
    assert.deepEqual(cache.list(ConfigMap), web.list());
    await cluster.client.patch(ConfigMap, labelled('a', '').metadata, 'merge', { metadata: { labels: { app: 'db' } } });
    await cluster.clock.settle();
    assert.deepEqual(stored(web), ['c']);
  });

  test('drops an object that its own write took out of the selection, and has it again when it is back', async () => {
    const web = cache.open(ConfigMap, { labels: 'app=web' });
    await cluster.client.create(ConfigMap, labelled('a', 'web'));
    await cache.start(stop.signal);
    const label = (app: string) =>
      client.patch(ConfigMap, labelled('a', '').metadata, 'merge', { metadata: { labels: { app } } });
    const release = cluster.connection.holdWatches();
    await label('db');
    assert.deepEqual(stored(web), []);
    await label('web');
    assert.deepEqual(stored(web), ['a']);
    await label('db');
    release();
    await cluster.clock.settle();
    assert.deepEqual(stored(web), []);
    await cluster.client.patch(ConfigMap, labelled('a', '').metadata, 'merge', {
      metadata: { labels: { app: 'web' } },
    });
    await cluster.clock.settle();
    assert.deepEqual(stored(web), ['a']);
  });

  test('reads from the store of all objects if there is one, and refuses to guess between several others', async () => {
    const web = cache.open(ConfigMap, { labels: 'app=web' });
    const database = cache.open(ConfigMap, { labels: 'app=db' });
    assert.throws(() => cache.list(ConfigMap), /ConfigMap is watched by several label selectors/);
    const all = cache.open(ConfigMap);
    await cache.start(stop.signal);
    const release = cluster.connection.holdWatches();
    await client.create(ConfigMap, labelled('a', 'web'));
    assert.deepEqual([web, database, all].map(stored), [['a'], [], ['a']]);
    assert.deepEqual(cache.list(ConfigMap), all.list());
    await client.delete(ConfigMap, labelled('a', '').metadata);
    assert.deepEqual([web, database, all].map(stored), [[], [], []]);
    release();
  });
});
