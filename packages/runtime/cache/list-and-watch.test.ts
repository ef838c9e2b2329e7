// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Namespace, Secret, Service } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { sharedCache, type SharedCache } from './cache.ts';

describe('a watch', () => {
  let cluster: TestCluster;
  let cache: SharedCache;
  let stop: AbortController;
  /** When watches were opened, in seconds, and how long they were to last, by path. */
  let opened: Map<string, { at: number; asked: number }[]>;

  const kinds: Kind[] = [ConfigMap, Secret, Service, Namespace];
  const openedOf = (path: string) => opened.get(path) ?? [];
  const gapsOf = (path: string) =>
    openedOf(path).flatMap(({ at }, index, all) => at - (all[index - 1]?.at ?? NaN) || []);

  /** Records each watch; `change` may change the request before it is sent. */
  function follow(change: (query: Record<string, string>) => void = () => undefined): void {
    cluster.connection.intercept = ({ path, query = {} }) => {
      if (query['watch'] !== 'true') return;
      const watch = { at: cluster.clock.now() / 1000, asked: Number(query['timeoutSeconds']) };
      opened.set(path, [...openedOf(path), watch]);
      change(query);
    };
  }

  async function start(): Promise<void> {
    for (const kind of kinds) cache.open(kind);
    await cache.start(stop.signal);
    await cluster.clock.settle();
  }

  /** The longest time for which an event was overdue in this time. */
  async function longestStaleness(span: number): Promise<number> {
    let longest = 0;
    for (let passed = 0; passed < span; passed += 15) {
      await cluster.clock.advance(seconds(15));
      longest = Math.max(longest, cache.staleness() / 1000);
    }
    return longest;
  }

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    cache = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    stop = new AbortController();
    opened = new Map();
  });

  afterEach(async () => {
    stop.abort();
    await cluster[Symbol.asyncDispose]();
  });

  test('is reopened after five to ten minutes, spread out', async () => {
    follow();
    await start();
    assert.ok((await longestStaleness(3600)) <= 60);
    for (const watches of opened.values()) {
      assert.ok(watches.length >= 6 && watches.length <= 13, `${watches.length} watches in an hour`);
      for (const { asked } of watches) assert.ok(asked >= 300 && asked < 600, String(asked));
    }
    const lengths = [...opened.keys()].flatMap(gapsOf);
    assert.ok(lengths.every((gap) => gap >= 300 && gap < 600));
    assert.ok(new Set(lengths).size > lengths.length / 2, lengths.join(' '));
  });

  describe('of a server that sends no bookmarks', () => {
    const path = '/api/v1/configmaps';

    beforeEach(async () => {
      follow((query) => delete query['allowWatchBookmarks']);
      await start();
    });

    test('is reopened a few times to learn that, then as rarely as others, and nothing is overdue', async () => {
      assert.ok((await longestStaleness(3600)) <= 120);
      const gaps = gapsOf(path);
      const [first, rest] = [gaps.slice(0, 8), gaps.slice(8)];
      assert.ok(
        first.every((gap) => gap < 80),
        first.join(' '),
      );
      assert.ok(rest.length >= 4 && rest.every((gap) => gap >= 300 && gap < 601), rest.join(' '));
      assert.equal(cluster.logged.filter(({ message }) => message.includes('no bookmarks')).length, kinds.length);
    });

    test('delivers events', async () => {
      await cluster.clock.advance(minutes(20));
      const metadata = { name: 'new', namespace: 'default' };
      await cluster.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      await cluster.clock.settle();
      assert.ok(cache.get(ConfigMap, metadata) !== undefined);
    });

    test('is reopened when it should have timed out, and is stale for seconds only', async () => {
      await cluster.clock.advance(minutes(20));
      const release = cluster.connection.holdWatches();
      const { at: before = 0, asked = 0 } = openedOf(path).at(-1) ?? {};
      await cluster.clock.until(() => (openedOf(path).at(-1)?.at ?? 0) > before, minutes(11));
      const late = cluster.clock.now() / 1000 - before - asked;
      assert.ok(late >= 30 && late < 31, `${late} s`);
      assert.ok(cache.staleness() <= seconds(31));
      release();
    });

    test('has bookmarks again once the server sends them', async () => {
      await cluster.clock.advance(minutes(20));
      follow();
      await cluster.clock.advance(minutes(20));
      const release = cluster.connection.holdWatches();
      const watches = openedOf(path).length;
      await cluster.clock.advance(seconds(80));
      assert.equal(openedOf(path).length, watches + 1);
      release();
    });
  });

  test('of a server that ends it at once is opened again with growing pauses', async () => {
    await start();
    follow((query) => {
      query['timeoutSeconds'] = '1';
      delete query['allowWatchBookmarks'];
    });
    cluster.connection.breakWatches();
    await cluster.clock.advance(minutes(10));
    const count = openedOf('/api/v1/configmaps').length;
    assert.ok(count > 20 && count < 60, `${count} watches`);
  });
});
