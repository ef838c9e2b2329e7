// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import type { ApiError } from '@forge/kube/errors/api-error.ts';
import { ClusterRoleBinding, ConfigMap, Namespace, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { FaultyDisk } from '../test/faulty-disk.ts';
import { testServer, type TestServer } from '../test/test-server.ts';
import { durableStorage } from './durable-storage.ts';
import { StorageFailed } from './storage.ts';
import { Store } from './store.ts';

function commit(store: Store, name: string, note = ''): void {
  const key = `things//${name}`;
  store.commit(key, store.current.objects.get(key), {
    kind: 'Thing',
    apiVersion: 'v1',
    metadata: { name },
    note,
  } as never);
}

/** What a store holds: names with revisions and notes. */
function contents(store: Store): string[] {
  return Array.from(store.current.objects.withPrefix(''), ({ key, revision, value }) => {
    return `${key.slice('things//'.length)}@${revision} ${(value as unknown as { note: string }).note}`;
  });
}

const map = (name: string, size = 1): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { text: 'x'.repeat(size) },
});

const namesOf = async (api: Client): Promise<string[]> =>
  (await api.list(ConfigMap, { namespace: 'default' })).items.map(({ metadata }) => metadata.name);

/** Fills the disk up, breaks it, or repairs it. */
async function breakOrRepair(disk: FaultyDisk, random: Random, size: () => Promise<number>): Promise<void> {
  const [chance, much] = [random.number(), random.number()];
  const operations = ['write', 'sync', 'truncate', 'open'] as const;
  disk.broken.clear();
  disk.capacity = chance < 0.3 ? (await size()) + much * 400 : Infinity;
  if (chance > 0.7) disk.broken.add(operations[Math.floor(much * operations.length)] ?? 'write');
}

/** Commits in one group; returns whether it is acknowledged. */
async function commitThree(store: Store, note: () => string): Promise<boolean> {
  try {
    await store.recover();
    for (const name of ['a', 'b', 'c']) commit(store, name, note());
    await store.durable();
    return true;
  } catch (error) {
    assert.ok(error instanceof StorageFailed, String(error));
    return false;
  }
}

describe('a failing disk', () => {
  let dir = '';
  let folders = 0;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'forge-storage-'));
  });
  after(() => rm(dir, { recursive: true }));

  const newFolder = (): string => join(dir, `${(folders += 1)}`);

  async function failingStore(options: { smallest?: number } = {}) {
    const [folder, disk] = [newFolder(), new FaultyDisk()];
    const store = new Store(await durableStorage(folder, { openFile: disk.open, ...options }));
    const size = async (): Promise<number> => (await stat(join(folder, 'store.log'))).size;
    /** The state that a crash would leave now. */
    const afterCrash = async (): Promise<string[]> => {
      const copy = newFolder();
      await cp(folder, copy, { recursive: true });
      const found = new Store(await durableStorage(copy));
      await found.close();
      return contents(found);
    };
    return { folder, disk, store, size, afterCrash };
  }

  test('rolls back what it could not persist, and persists what follows once there is room', async () => {
    const { disk, store, size, afterCrash } = await failingStore();
    commit(store, 'a', 'kept');
    await store.durable();
    disk.capacity = (await size()) + 30;
    commit(store, 'a', 'lost');
    commit(store, 'b', 'lost');
    assert.deepEqual(contents(store), ['a@2 lost', 'b@3 lost']);
    await assert.rejects(store.durable(), {
      full: true,
      message: /store\.log cannot be written \(ENOSPC.*free some space/,
    });
    assert.deepEqual(contents(store), ['a@1 kept']);
    assert.equal(store.published, store.current.revision);
    await store.durable();
    assert.throws(() => commit(store, 'c'), StorageFailed);
    await assert.rejects(store.recover(), StorageFailed);
    assert.deepEqual(await afterCrash(), ['a@1 kept']);

    disk.capacity = Infinity;
    await store.recover();
    commit(store, 'd', 'later');
    await store.durable();
    assert.equal(store.change(2)?.object.key, 'things//d');
    assert.deepEqual(await afterCrash(), ['a@1 kept', 'd@2 later']);
    await store.close();
  });

  test('notifies subscribers of a rollback', async () => {
    const { disk, store } = await failingStore();
    const seen: number[] = [];
    store.subscribe('things', () => seen.push(store.current.objects.size));
    disk.capacity = 0;
    commit(store, 'a');
    await assert.rejects(store.durable());
    assert.deepEqual(seen, [0]);
    await assert.rejects(store.close(), StorageFailed);
  });

  test('recovers only when there is room for the failed write', async () => {
    const { disk, store, size } = await failingStore();
    disk.capacity = await size();
    commit(store, 'a', 'x'.repeat(5000));
    await assert.rejects(store.durable());
    disk.capacity += 1000;
    await assert.rejects(store.recover(), StorageFailed);
    disk.capacity += 5000;
    await store.recover();
    await store.close();
  });

  test('with an untrusted log gets a new one before anything else is acknowledged', async () => {
    const { disk, store, afterCrash } = await failingStore();
    commit(store, 'a', 'kept');
    await store.durable();
    disk.broken.add('write');
    commit(store, 'a', 'unknown');
    await assert.rejects(store.durable(), { full: false, message: /EIO.*check its disk/ });
    assert.deepEqual(contents(store), ['a@1 kept']);
    await assert.rejects(store.recover(), StorageFailed);

    disk.broken.clear();
    await store.recover();
    assert.deepEqual(await afterCrash(), ['a@1 kept'], 'rewritten, without unacknowledged changes');
    commit(store, 'b', 'later');
    await store.durable();
    assert.deepEqual(await afterCrash(), ['a@1 kept', 'b@2 later']);
    await store.close();
  });

  test('loses nothing acknowledged, however often and wherever it fails', async () => {
    const random = seededRandom(7);
    for (let run = 0; run < 2; run += 1) {
      const { disk, store, size, afterCrash } = await failingStore({ smallest: 1500 });
      let failures = 0;
      for (let turn = 0; turn < 40; turn += 1) {
        await breakOrRepair(disk, random, size);
        const isKept = await commitThree(store, () => `${run}.${turn} ${'x'.repeat(random.number() * 100)}`);
        if (!isKept) failures += 1;
        const [found, acknowledged] = [await afterCrash(), contents(store)];
        for (const [index, each] of acknowledged.entries()) {
          const revision = Number(/@(\d+)/.exec(found[index] ?? '')?.[1]);
          // Rejected writes may be found too, as long as the disk could not truncate them.
          const isAsGood = found[index] === each || (!isKept && revision > store.published);
          assert.ok(isAsGood, `run ${run}, turn ${turn}: ${found[index]} for ${each}`);
        }
      }
      assert.ok(failures > 5, `${failures} failures`);
      disk.broken.clear();
      disk.capacity = Infinity;
      await store.recover();
      assert.deepEqual(await afterCrash(), contents(store));
      await store.close();
    }
  });

  async function failingServer(): Promise<
    TestServer & { disk: FaultyDisk; lines: string[]; fill: () => Promise<void> }
  > {
    const [folder, disk, lines] = [newFolder(), new FaultyDisk(), [] as string[]];
    const log = logger({ clock: virtualClock(), write: ({ level, message }) => lines.push(`${level} ${message}`) });
    const server = await testServer({ storage: await durableStorage(folder, { openFile: disk.open, log }) });
    await server.server.store.durable();
    const fill = async (): Promise<void> => {
      disk.capacity = (await stat(join(folder, 'store.log'))).size + 10;
    };
    return { ...server, disk, lines, fill };
  }

  test('allows reads, rejects writes with an error about the disk, and is reported by health checks and log', async () => {
    const { api, get, disk, lines, fill, server } = await failingServer();
    await api.create(ConfigMap, map('before'));
    await fill();
    for (const name of ['during', 'during-too']) {
      const refused = (await api.create(ConfigMap, map(name)).catch((error: unknown) => error)) as ApiError;
      assert.equal(refused.code, 507);
      assert.match(refused.message, /store\.log cannot be written \(ENOSPC: no space left on device.*free some space/);
    }
    assert.deepEqual(await namesOf(api), ['before']);
    assert.equal((await api.get(ConfigMap, map('before').metadata)).metadata.name, 'before');
    await api.create(ConfigMap, map('dry'), { dryRun: true });
    for (const path of ['/livez', '/readyz', '/healthz']) {
      const { status, body } = await get(path);
      assert.equal(status, 500);
      assert.match((body as Error).message, /^\[-\]etcd failed: reason withheld$/m);
      assert.match((body as Error).message, new RegExp(`^${path.slice(1)} check failed$`, 'm'));
    }

    disk.capacity = Infinity;
    assert.equal((await get('/readyz')).status, 200, 'before any further write');
    await api.create(ConfigMap, map('after'));
    assert.deepEqual(await namesOf(api), ['after', 'before']);
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]),
      ['error', 'info'],
    );
    await server.close();
  });

  test('accepts a write as soon as there is room, without a health check', async () => {
    const { api, disk, fill, server } = await failingServer();
    await fill();
    await assert.rejects(api.create(ConfigMap, map('during')), { code: 507 });
    disk.capacity = Infinity;
    await api.create(ConfigMap, map('after'));
    await server.close();
  });

  test('never exposes rolled-back changes to reads, nor rejects writes because of them', async () => {
    const { api, fill, server } = await failingServer();
    await fill();
    const creating = api.create(ConfigMap, map('a', 10)).catch((error: ApiError) => error.code);
    const again = api.create(ConfigMap, map('a', 10)).catch((error: ApiError) => error.code);
    const names = await namesOf(api);
    assert.deepEqual([await creating, await again, names], [507, 507, []]);
    await assert.rejects(server.close(), StorageFailed);
  });

  test('gets the writes of the server’s controllers once there is room again', async () => {
    const { api, server, disk, clock } = await failingServer();
    const unsubscribe = server.store.subscribe('namespaces', () => (disk.capacity = 0));
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await clock.settle();
    const account = { namespace: 'shop', name: 'default' };
    assert.equal(await api.find(ServiceAccount, account), undefined);
    unsubscribe();
    disk.capacity = Infinity;
    await server.store.recover();
    await clock.advance(minutes(1));
    await server.store.durable();
    assert.ok(await api.find(ServiceAccount, account));
    await server.close();
  });

  test('grants no access by a binding that was rolled back', async () => {
    const { api, server, fill } = await failingServer();
    await fill();
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const metadata = { name: 'readers' };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }];
    const binding = api.create(ClusterRoleBinding, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef,
      subjects,
    });
    const ann = { name: 'ann', groups: [] };
    const asked = { method: 'GET', path: '/api/v1/namespaces', query: {}, headers: {}, user: ann };
    await Promise.all([assert.rejects(binding, { code: 507 }), server.handle(asked)]);
    assert.equal((await server.handle(asked)).status, 403);
    await assert.rejects(server.close(), StorageFailed);
  });
});
