// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { Event, EventsEvent } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { durableStorage } from '../storage/durable-storage.ts';
import { testServer } from '../test/test-server.ts';

function event(name: string, more: Partial<Event['metadata']> = {}): Event {
  const namespace = 'default';
  const involvedObject = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace };
  return { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace, ...more }, involvedObject, reason: 'Started' };
}

const names = async (api: Client): Promise<string[]> =>
  (await api.list(Event)).items.map(({ metadata }) => metadata.name);

describe('Events', () => {
  test('are deleted an hour after their last write, finalizers or not, and watches get DELETED', async () => {
    const { api, transport, clock, server } = await testServer();
    await api.create(Event, event('a', { finalizers: ['example.com/keep'] }));
    await clock.advance(minutes(10));
    const b = await api.create(Event, event('b'));
    await clock.advance(minutes(40));
    await api.patch(Event, event('a').metadata, 'merge', { count: 2 });
    const seen: string[] = [];
    const abort = new AbortController();
    const query = { watch: 'true', resourceVersion: String(server.store.current.revision) };
    const watching = (async () => {
      const events = await transport.stream({ method: 'GET', path: '/api/v1/events', query, signal: abort.signal });
      for await (const each of events) {
        const { type, object } = each as { type: string; object: Event };
        seen.push(`${type} ${object.metadata.name}`);
      }
    })();
    await clock.advance(minutes(19));
    assert.deepEqual(await names(api), ['a', 'b']);
    await clock.advance(minutes(1));
    assert.deepEqual(await names(api), ['a']);
    assert.equal(Number(b.metadata.resourceVersion) < server.store.current.revision, true);
    await clock.advance(minutes(40));
    assert.deepEqual([await names(api), seen], [[], ['DELETED b', 'DELETED a']]);
    abort.abort();
    await watching;
  });

  test('that are deleted and recreated live for another hour', async () => {
    const { api, clock } = await testServer();
    await api.create(Event, event('a'));
    await clock.advance(minutes(30));
    await api.delete(Event, event('a').metadata);
    await clock.advance(minutes(20));
    await api.create(Event, event('a'));
    await clock.advance(minutes(59));
    assert.deepEqual(await names(api), ['a']);
    await clock.advance(minutes(1));
    assert.deepEqual(await names(api), []);
  });

  test('keep their expiry across a restart', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'forge-events-'));
    const first = await testServer({ storage: await durableStorage(dir) });
    await first.api.create(Event, event('old'));
    await first.api.create(Event, event('written-again'));
    await first.clock.advance(minutes(50));
    await first.api.patch(Event, event('written-again').metadata, 'merge', { count: 2 });
    await first.server.close();

    const { clock } = first;
    const second = await testServer({ clock, storage: await durableStorage(dir) });
    assert.deepEqual(await names(second.api), ['old', 'written-again']);
    await clock.advance(minutes(10));
    await second.server.store.durable();
    assert.deepEqual(await names(second.api), ['written-again']);
    await clock.advance(minutes(50));
    await second.server.store.durable();
    assert.deepEqual(await names(second.api), []);
    await second.server.close();
    await rm(dir, { recursive: true });
  });

  test('with a timestamp in the future live for an hour', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'forge-events-'));
    const first = await testServer({ storage: await durableStorage(dir) });
    await first.api.create(Event, event('a'));
    await first.server.close();
    const clock = virtualClock(first.clock.now() - minutes(24 * 60));
    const second = await testServer({ clock, storage: await durableStorage(dir) });
    await clock.advance(minutes(60));
    await second.server.store.durable();
    assert.deepEqual(await names(second.api), []);
    await second.server.close();
    await rm(dir, { recursive: true });
  });

  test('created through events.k8s.io are deleted after an hour as well', async () => {
    const { api, clock } = await testServer();
    const { metadata } = event('a');
    const times = { eventTime: '2026-01-01T00:00:00.000000Z' };
    const reporter = { reportingController: 'example.com/test', reportingInstance: 'test-0', action: 'Start' };
    const what = { reason: 'Started', type: 'Normal', regarding: event('a').involvedObject };
    await api.create(EventsEvent, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata,
      ...times,
      ...reporter,
      ...what,
    });
    assert.deepEqual(await names(api), ['a']);
    await clock.advance(minutes(60));
    assert.deepEqual(await names(api), []);
  });

  test('expire in thousands with a single timer', async () => {
    const { api, clock, server } = await testServer();
    const after = clock.after.bind(clock);
    let timers = 0;
    clock.after = (delay, callback) => {
      timers += 1;
      return after(delay, callback);
    };
    for (let count = 0; count < 2000; count += 1) await api.create(Event, event(`e-${count}`));
    await clock.advance(minutes(60));
    // In batches, so that other requests are served in between.
    for (let turn = 0; turn < 10; turn += 1) await clock.settle();
    assert.deepEqual([await names(api), timers], [[], 1]);
    await server.close();
  });
});
