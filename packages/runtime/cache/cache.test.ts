// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { ConfigMap, Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import type { Change } from '../objects/change.ts';
import { prometheusMetrics } from '../observability/prometheus-metrics.ts';
import { sharedCache, type SharedCache } from './cache.ts';
import { cachingClient } from './caching-client.ts';
import type { Index } from './object-index.ts';
import type { CacheSelection } from './object-store.ts';

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

describe('the cache', () => {
  let cluster: TestCluster;
  let cache: SharedCache;
  let client: Client;
  let stop: AbortController;
  let changes: string[];

  const get = (name: string) => cache.get(ConfigMap, { namespace: 'default', name });
  const dataOf = (name: string) => get(name)?.data?.['k'];
  const names = (selection: CacheSelection<ConfigMap>) =>
    cache.list(ConfigMap, selection).map(({ metadata }) => metadata.name);
  const lists = () => cluster.connection.requests.filter((request) => request === 'GET /api/v1/configmaps').length;

  function note({ before, after }: Change<ConfigMap>): void {
    const name = (after ?? before)?.metadata.name ?? '';
    changes.push(`${name} ${before?.data?.['k'] ?? '-'} → ${after?.data?.['k'] ?? '-'}`);
  }

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    cache = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    client = cachingClient(cluster.connection.client, cache);
    stop = new AbortController();
    changes = [];
    await cluster.client.create(ConfigMap, configMap('old', { k: '0' }));
    cache.open(ConfigMap).onChange(note);
    await cache.start(stop.signal);
    await cluster.clock.settle();
  });

  afterEach(async () => {
    stop.abort();
    await cluster[Symbol.asyncDispose]();
  });

  test('is synced when it has started, and observes every change from then on', async () => {
    assert.equal(dataOf('old'), '0');
    const created = await cluster.client.create(ConfigMap, configMap('new', { k: '1' }));
    await cluster.client.update(ConfigMap, { ...created, data: { k: '2' } });
    await cluster.client.delete(ConfigMap, refOf(created));
    await cluster.clock.settle();
    assert.equal(get('new'), undefined);
    assert.deepEqual(changes, ['old - → 0', 'new - → 1', 'new 1 → 2', 'new 2 → -']);
  });

  test('keeps no managedFields', () => {
    assert.equal('managedFields' in (get('old')?.metadata ?? {}), false);
  });

  test('throws when an unwatched kind is read', () => {
    assert.throws(() => cache.list({ ...ConfigMap, kind: 'Other', plural: 'others' }), /Other is read but not watched/);
  });

  test('lists by namespace, labels and owner, in order', async () => {
    const owner = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'old',
      uid: get('old')?.metadata.uid ?? '',
      controller: true,
    };
    const metadata = { ...configMap('b').metadata, labels: { app: 'web' }, ownerReferences: [owner] };
    await cluster.client.create(ConfigMap, { ...configMap('b'), metadata });
    await cluster.client.create(ConfigMap, configMap('a'));
    await cluster.clock.settle();
    assert.deepEqual(names({ namespace: 'default' }), ['a', 'b', 'old']);
    assert.deepEqual(names({ namespace: 'kube-system' }), []);
    assert.deepEqual(names({ labels: { app: 'web' } }), ['b']);
    assert.deepEqual(names({ owner: owner.uid }), ['b']);
  });

  describe('reads its own writes', () => {
    test('at once, while the watch lags behind, in get and list', async () => {
      const release = cluster.connection.holdWatches();
      const created = await client.create(ConfigMap, configMap('new', { k: '1' }));
      assert.equal(dataOf('new'), '1');
      await client.update(ConfigMap, { ...created, data: { k: '2' } });
      assert.equal(dataOf('new'), '2');
      assert.deepEqual(
        cache.list(ConfigMap, { namespace: 'default' }).map(({ data }) => data?.['k']),
        ['2', '0'],
      );
      changes.length = 0;
      release();
      await cluster.clock.settle();
      assert.equal(dataOf('new'), '2');
      assert.deepEqual(changes, ['new - → 1', 'new 1 → 2']);
    });

    test('and never falls back to an older state that the watch delivers later', async () => {
      const release = cluster.connection.holdWatches();
      const theirs = await cluster.client.patch(ConfigMap, { namespace: 'default', name: 'old' }, 'merge', {
        data: { k: 'theirs' },
      });
      await client.update(ConfigMap, { ...theirs, data: { k: 'ours' } });
      const seen: unknown[] = [];
      cache.open(ConfigMap).onChange(() => seen.push(dataOf('old')));
      release();
      await cluster.clock.settle();
      assert.deepEqual(seen, ['ours', 'ours']);
    });

    test('and hides what it deleted until the watch delivers the deletion', async () => {
      const release = cluster.connection.holdWatches();
      await client.delete(ConfigMap, { namespace: 'default', name: 'old' });
      assert.equal(get('old'), undefined);
      assert.deepEqual(cache.list(ConfigMap, { namespace: 'default' }), []);
      await client.create(ConfigMap, configMap('old', { k: 'again' }));
      assert.equal(dataOf('old'), 'again');
      release();
      await cluster.clock.settle();
      assert.equal(dataOf('old'), 'again');
    });

    test('and is not misled by the deletion of a predecessor of what it deleted', async () => {
      const release = cluster.connection.holdWatches();
      const old = { namespace: 'default', name: 'old' };
      await client.delete(ConfigMap, old);
      await client.create(ConfigMap, configMap('old', { k: 'again' }));
      await client.delete(ConfigMap, old);
      const seen: unknown[] = [];
      cache.open(ConfigMap).onChange(() => seen.push(dataOf('old')));
      release();
      await cluster.clock.settle();
      assert.deepEqual(seen, [undefined, undefined, undefined]);
    });

    test('and forgets what it wrote when the kind is no longer installed', async () => {
      cluster.connection.intercept = ({ method }) => {
        if (method === 'GET') throw refusal(404, 'NotFound', '404 page not found');
      };
      cluster.connection.holdWatches();
      cluster.connection.breakWatches();
      await client.create(ConfigMap, configMap('new', { k: '1' }));
      await cluster.clock.advance(seconds(10));
      assert.deepEqual(cache.list(ConfigMap), []);
    });

    test('and shows a deleted object as terminating, while its finalizers hold it, before the watch does', async () => {
      const held = { ...configMap('held', { k: '1' }).metadata, finalizers: ['test.forge.c5c3.io/hold'] };
      await client.create(ConfigMap, { ...configMap('held', { k: '1' }), metadata: held });
      await cluster.clock.settle();
      const release = cluster.connection.holdWatches();
      await client.delete(ConfigMap, held);
      assert.notEqual(get('held')?.metadata.deletionTimestamp, undefined);
      release();
      await cluster.clock.settle();
      assert.notEqual(get('held')?.metadata.deletionTimestamp, undefined);
    });

    test('but does not restore what the watch reported as deleted before the response arrived', async () => {
      const created = await cluster.connection.client.create(ConfigMap, configMap('new', { k: '1' }));
      await cluster.client.delete(ConfigMap, refOf(created));
      await cluster.clock.settle();
      cache.open(ConfigMap).recordWrite(created);
      assert.equal(get('new'), undefined);
    });
  });

  test('learns from a live read that an object exists or not, and nothing from its subresources', async () => {
    const release = cluster.connection.holdWatches();
    const old = { namespace: 'default', name: 'old' };
    assert.equal(await client.find(ConfigMap, old, { subresource: 'scale' }), undefined);
    assert.equal(dataOf('old'), '0');
    await cluster.client.patch(ConfigMap, old, 'merge', { data: { k: '1' } });
    await client.find(ConfigMap, old);
    assert.equal(dataOf('old'), '1');
    await cluster.client.delete(ConfigMap, old);
    await client.find(ConfigMap, old);
    assert.equal(get('old'), undefined);
    release();
  });

  test('does not take a Namespace for deleted that is still being emptied', async () => {
    const all = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    all.open(Namespace);
    await all.start(stop.signal);
    const held = { name: 'held', namespace: 'going', finalizers: ['vendor.example/hold'] };
    await cluster.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' } });
    await cluster.client.create(ConfigMap, { ...configMap('held'), metadata: held });
    await cluster.client.delete(Namespace, { name: 'going' });
    await cachingClient(cluster.connection.client, all).find(Namespace, { name: 'going' });
    assert.notEqual(all.get(Namespace, { name: 'going' }), undefined);
  });

  test('takes no notice of a dry run', async () => {
    const release = cluster.connection.holdWatches();
    const old = { namespace: 'default', name: 'old' };
    await cluster.client.patch(ConfigMap, old, 'merge', { data: { k: 'theirs' } });
    await client.patch(ConfigMap, old, 'merge', { data: { k: 'trial' } }, { dryRun: true });
    assert.equal(dataOf('old'), '0');
    release();
  });

  test('reports another object under the same name as deleted and created', async () => {
    const release = cluster.connection.holdWatches();
    cluster.connection.breakWatches();
    await cluster.client.delete(ConfigMap, { namespace: 'default', name: 'old' });
    await cluster.client.create(ConfigMap, configMap('old', { k: '1' }));
    cluster.connection.intercept = ({ query }) => {
      cluster.connection.intercept = () => undefined;
      if (query?.['watch'] === 'true') throw refusal(410, 'Expired', 'too old resource version');
    };
    changes.length = 0;
    release();
    await cluster.clock.advance(seconds(10));
    assert.deepEqual(changes, ['old 0 → -', 'old - → 1']);
  });

  test('loses nothing when the watch breaks, and does not list again', async () => {
    await cluster.client.create(ConfigMap, configMap('told', { k: '1' }));
    await cluster.clock.settle();
    cluster.connection.breakWatches();
    await cluster.client.create(ConfigMap, configMap('missed', { k: '1' }));
    await cluster.clock.advance(seconds(10));
    assert.equal(dataOf('missed'), '1');
    assert.equal(lists(), 1);
  });

  test('lists again when the version has expired, and reports what was missed', async () => {
    cluster.connection.intercept = ({ query }) => {
      if (query?.['watch'] !== 'true') return;
      cluster.connection.intercept = () => undefined;
      throw refusal(410, 'Expired', 'too old resource version');
    };
    cluster.connection.breakWatches();
    await cluster.client.delete(ConfigMap, { namespace: 'default', name: 'old' });
    await cluster.client.create(ConfigMap, configMap('missed', { k: '1' }));
    changes.length = 0;
    await cluster.clock.advance(seconds(10));
    assert.deepEqual(changes, ['old 0 → -', 'missed - → 1']);
    assert.equal(lists(), 2);
  });

  test('keeps trying, slower and slower, while the server is away', async () => {
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    cluster.connection.breakWatches();
    cluster.connection.requests.length = 0;
    await cluster.clock.advance(minutes(10));
    const tries = cluster.connection.requests.length;
    assert.ok(tries > 20 && tries < 60, `${tries} tries`);
    cluster.connection.intercept = () => undefined;
    await cluster.client.create(ConfigMap, configMap('missed', { k: '1' }));
    await cluster.clock.advance(minutes(1));
    assert.equal(dataOf('missed'), '1');
  });

  test('detects a hung connection in little more than a minute, and loses nothing', async () => {
    const release = cluster.connection.holdWatches();
    await cluster.client.create(ConfigMap, configMap('missed', { k: '1' }));
    cluster.connection.requests.length = 0;
    await cluster.clock.advance(seconds(74));
    assert.deepEqual(cluster.connection.requests, []);
    await cluster.clock.advance(seconds(2));
    assert.deepEqual(cluster.connection.requests, ['WATCH /api/v1/configmaps']);
    release();
    await cluster.clock.settle();
    assert.equal(dataOf('missed'), '1');
  });

  test('detects a hung connection and its staleness also when the clock is set back', async () => {
    let setBack = 0;
    const clock = { ...cluster.clock, now: () => cluster.clock.now() - setBack };
    const other = sharedCache({ ...cluster, client: cluster.connection.client, clock, fieldManagers: new Set() });
    other.open(Secret);
    await other.start(stop.signal);
    await cluster.clock.settle();
    cluster.connection.holdWatches('/secrets');
    setBack = minutes(60);
    const before = other.staleness();
    cluster.connection.requests.length = 0;
    await cluster.clock.advance(seconds(74));
    assert.equal(other.staleness(), before + seconds(74));
    await cluster.clock.advance(seconds(2));
    assert.ok(cluster.connection.requests.includes('WATCH /api/v1/secrets'));
  });

  test('keeps its resource version by bookmarks when the kind has no events', async () => {
    const from: (string | undefined)[] = [];
    cluster.connection.intercept = ({ query }) => void from.push(query?.['resourceVersion']);
    for (let count = 0; from.length < 3; count += 1) {
      const { metadata } = configMap(`other-${count}`);
      await cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
      await cluster.clock.advance(minutes(1));
    }
    assert.equal(new Set(from).size, 3);
    assert.equal(lists(), 1);
  });

  test('reports its staleness', async () => {
    await cluster.clock.advance(minutes(20));
    assert.ok(cache.staleness() <= seconds(60), String(cache.staleness()));
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    cluster.connection.breakWatches();
    const before = cache.staleness();
    await cluster.clock.advance(minutes(20));
    assert.equal(cache.staleness(), before + minutes(20));
    cluster.connection.intercept = () => undefined;
    await cluster.clock.advance(minutes(2));
    assert.ok(cache.staleness() <= seconds(60), String(cache.staleness()));
  });

  test('reports the time of the last event or bookmark in a metric', async () => {
    const metrics = prometheusMetrics();
    const measured = sharedCache({ ...cluster, client: cluster.connection.client, metrics, fieldManagers: new Set() });
    measured.open(ConfigMap, { labels: 'app=web', namespace: 'default' });
    await measured.start(stop.signal);
    await cluster.clock.advance(seconds(70));
    const { received } =
      /^forge_cache_last_heard_timestamp_seconds\{resource="configmaps",labels="app=web",namespace="default"\} (?<received>\d+)$/m.exec(
        await metrics.text(),
      )?.groups ?? {};
    assert.equal(cluster.clock.now() / 1000 - Number(received), measured.staleness() / 1000);
    assert.ok(measured.staleness() < seconds(60));
  });

  test('finds objects by an index, also those it just wrote, and not by their old values', async () => {
    const byColours: Index<ConfigMap> = { valuesOf: ({ data }) => data?.['colours']?.split(' ') ?? [] };
    const found = (value: string) => names({ where: { index: byColours, value } });
    await cluster.client.create(ConfigMap, configMap('a', { colours: 'red green' }));
    await cluster.clock.settle();
    assert.deepEqual([found('red'), found('green'), found('blue')], [['a'], ['a'], []]);
    const release = cluster.connection.holdWatches();
    const created = await client.create(ConfigMap, configMap('b', { colours: 'red' }));
    await client.patch(ConfigMap, configMap('a').metadata, 'merge', { data: { colours: 'blue' } });
    const expected = [['b'], [], ['a']];
    assert.deepEqual([found('red'), found('green'), found('blue')], expected);
    release();
    await cluster.clock.settle();
    assert.deepEqual([found('red'), found('green'), found('blue')], expected);
    await cluster.client.delete(ConfigMap, refOf(created));
    await cluster.clock.settle();
    assert.deepEqual(found('red'), []);
  });

  test('is not stopped by an object that an index cannot read', async () => {
    const strict: Index<ConfigMap> = {
      valuesOf({ data }) {
        if (data?.['k'] === undefined) throw new Error('no k');
        return [data['k'].trim()];
      },
    };
    assert.deepEqual(names({ where: { index: strict, value: '0' } }), ['old']);
    await cluster.client.create(ConfigMap, configMap('odd'));
    await cluster.client.create(ConfigMap, configMap('new', { k: '0 ' }));
    await cluster.clock.settle();
    assert.deepEqual(names({ where: { index: strict, value: '0' } }), ['new', 'old']);
  });
});
