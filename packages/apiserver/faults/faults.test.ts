// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { client, type Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { apiServer } from '../api-server.ts';
import type { ServerRequest } from '../messages/server-request.ts';
import { configMap } from '../test/objects.ts';
import { testServer, type TestServer } from '../test/test-server.ts';
import { inProcessTransport } from '../wire/in-process-transport.ts';
import { breakConnection } from './break-connection.ts';
import { failWith } from './fail-with.ts';
import { faultInjector, times, type FaultInjector } from './fault-injector.ts';
import { holdEvents } from './hold-events.ts';
import { staleLists } from './stale-lists.ts';

const isWrite = ({ method }: ServerRequest): boolean => method !== 'GET';
const a = { namespace: 'default', name: 'a' };

async function disturbed(): Promise<TestServer & { line: FaultInjector; disturbedApi: Client }> {
  const undisturbed = await testServer();
  const line = faultInjector(undisturbed.server);
  return { ...undisturbed, line, disturbedApi: client(inProcessTransport(line)) };
}

async function names(api: Client): Promise<string[]> {
  return (await api.list(ConfigMap)).items.map(({ metadata }) => metadata.name);
}

/** Watches ConfigMaps from now on; events are appended to the returned list. */
async function follow(
  api: Client,
  { from, namespace }: { from?: string | undefined; namespace?: string } = {},
): Promise<{ observed: string[]; ended: Promise<unknown> }> {
  const observed: string[] = [];
  const resourceVersion = from ?? (await api.list(ConfigMap)).resourceVersion;
  async function read(): Promise<void> {
    for await (const { type, object } of api.watch(ConfigMap, { resourceVersion, namespace })) {
      observed.push(`${type} ${object.metadata.name}`);
    }
  }
  return { observed, ended: read().catch((error: unknown) => error) };
}

describe('faults', () => {
  test('an injected error is returned for the given number of matching requests, which never reach the server', async () => {
    const { api, disturbedApi, line } = await disturbed();
    for (const [code, reason] of [
      [409, 'Conflict'],
      [429, 'TooManyRequests'],
      [500, 'InternalError'],
    ] as const) {
      const remove = line.inject(times(2, failWith(code)), isWrite);
      for (const _ of [1, 2]) {
        await assert.rejects(disturbedApi.create(ConfigMap, configMap('a')), (error) => isApiError(error, reason));
      }
      assert.equal(await disturbedApi.find(ConfigMap, a), undefined);
      await disturbedApi.create(ConfigMap, configMap('a'));
      await api.delete(ConfigMap, a);
      remove();
    }
  });

  test('a connection breaks before or after the server has handled a write', async () => {
    const { disturbedApi, line } = await disturbed();
    line.inject(times(1, breakConnection('before')), isWrite);
    await assert.rejects(disturbedApi.create(ConfigMap, configMap('a')), /connection to the API server broke/);
    assert.equal(await disturbedApi.find(ConfigMap, a), undefined);
    line.inject(times(1, breakConnection('after')), isWrite);
    await assert.rejects(disturbedApi.create(ConfigMap, configMap('a')), /connection to the API server broke/);
    assert.equal((await disturbedApi.get(ConfigMap, a)).metadata.name, 'a');
  });

  test('lists are stale until the fault is removed', async () => {
    const { api, disturbedApi, line, server } = await disturbed();
    const { revision } = server.store.current;
    await api.create(ConfigMap, configMap('a'));
    const remove = line.inject(staleLists(revision));
    const stale = await disturbedApi.list(ConfigMap);
    assert.deepEqual([stale.items.length, stale.resourceVersion], [0, String(revision)]);
    remove();
    assert.equal((await disturbedApi.list(ConfigMap)).items.length, 1);
  });

  test('held events are released one by one', async () => {
    const { api, disturbedApi, line, clock } = await disturbed();
    const held = holdEvents();
    line.inject(held.fault);
    const { observed } = await follow(disturbedApi);
    for (const name of ['a', 'b', 'c']) await api.create(ConfigMap, configMap(name));
    await clock.settle();
    assert.deepEqual([observed, held.waiting], [[], 1]);
    held.release();
    await clock.settle();
    assert.deepEqual(observed, ['ADDED a']);
    held.release(5);
    await clock.settle();
    assert.deepEqual(observed, ['ADDED a', 'ADDED b', 'ADDED c']);
    for (const name of ['d', 'e', 'f', 'g']) await api.create(ConfigMap, configMap(name));
    await clock.settle();
    assert.deepEqual(observed.slice(3), ['ADDED d', 'ADDED e', 'ADDED f']);
    held.open();
    await clock.settle();
    assert.deepEqual(observed.slice(6), ['ADDED g']);
  });

  test('one watch is held while others get events', async () => {
    const { api, disturbedApi, line, clock } = await disturbed();
    const held = holdEvents();
    line.inject(held.fault, ({ path }) => path.includes('/namespaces/default/'));
    const slow = await follow(disturbedApi, { namespace: 'default' });
    const quick = await follow(disturbedApi);
    await api.create(ConfigMap, configMap('a'));
    await clock.settle();
    assert.deepEqual([slow.observed, quick.observed], [[], ['ADDED a']]);
  });

  test('a watch breaks before an event, and resumes without a gap', async () => {
    const { api, disturbedApi, line, clock } = await disturbed();
    const held = holdEvents();
    line.inject(held.fault);
    const { observed, ended } = await follow(disturbedApi);
    const { metadata } = await api.create(ConfigMap, configMap('a'));
    await api.create(ConfigMap, configMap('b'));
    held.release();
    await clock.settle();
    held.break();
    assert.match(String(await ended), /connection to the API server broke/);
    assert.deepEqual(observed, ['ADDED a']);
    held.open();
    const resumed = await follow(disturbedApi, { from: metadata.resourceVersion });
    await clock.settle();
    assert.deepEqual(resumed.observed, ['ADDED b']);
  });

  test('history is compacted on demand: an older watch gets 410', async () => {
    const { api, server } = await disturbed();
    const { metadata } = await api.create(ConfigMap, configMap('a'));
    await api.create(ConfigMap, configMap('b'));
    await api.create(ConfigMap, configMap('c'));
    server.store.compact(server.store.current.revision);
    const { ended } = await follow(api, { from: metadata.resourceVersion });
    assert.ok(isApiError(await ended, 'Expired'));
  });

  test('a fork starts with the state of the server, and is independent of it', async () => {
    const { api, server, clock } = await disturbed();
    const { metadata } = await api.create(ConfigMap, configMap('a'));
    await api.create(ConfigMap, configMap('b'));
    const fork = await apiServer({ clock, random: seededRandom(2), forkOf: server });
    const forked = client(inProcessTransport(fork));
    await forked.delete(ConfigMap, a);
    await api.create(ConfigMap, configMap('c'));
    assert.deepEqual(await names(api), ['a', 'b', 'c']);
    assert.deepEqual(await names(forked), ['b']);
    const { observed } = await follow(forked, { from: metadata.resourceVersion });
    await clock.settle();
    assert.deepEqual(observed, ['ADDED b', 'DELETED a']);
  });
});
