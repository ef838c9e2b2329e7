// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Event } from '@forge/kube/kinds/builtin.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { eventRecorder, type EventNote, type EventRecorder } from './event-recorder.ts';

const note: EventNote = { type: 'Normal', reason: 'Rotated', message: 'keys rotated' };

describe('the event recorder', () => {
  let cluster: TestCluster;
  let object: ConfigMap;
  let record: EventRecorder;

  const events = async () => (await cluster.client.list(Event, { namespace: 'default' })).items;

  const counted = async () => (await events()).map(({ count }) => count);
  const tellKeys = async (from: number, to: number) => {
    for (let index = from; index <= to; index += 1) await record(object, { ...note, message: `key ${index} rotated` });
  };

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    const metadata = { name: 'a', namespace: 'default' };
    object = await cluster.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    record = eventRecorder({
      ...cluster,
      client: cluster.connection.client,
      component: 'test-controller',
      signal: new AbortController().signal,
    });
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  test('writes an Event about its object', async () => {
    await record(object, note);
    const [event] = await events();
    assert.match(event?.metadata.name ?? '', /^a\.[0-9a-f]{16}$/);
    const { uid, resourceVersion } = object.metadata;
    assert.deepEqual(event?.involvedObject, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'a',
      namespace: 'default',
      uid,
      resourceVersion,
    });
    const { type, reason, message, source, reportingComponent, count, firstTimestamp } = event;
    assert.deepEqual([type, reason, message, count], ['Normal', 'Rotated', 'keys rotated', 1]);
    assert.deepEqual([source?.component, reportingComponent], ['test-controller', 'test-controller']);
    assert.equal(firstTimestamp, '2026-01-01T00:00:00Z');
  });

  test('writes an Event about an object of the longest name, too', async () => {
    const metadata = { ...object.metadata, name: `${'a'.repeat(235)}.${'b'.repeat(17)}` };
    await record({ ...object, metadata }, note);
    assert.deepEqual(cluster.logged, []);
    assert.deepEqual(
      (await events()).map(({ involvedObject }) => involvedObject.name),
      [metadata.name],
    );
  });

  test('increases the count of an identical Event instead of repeating it, also when recorded concurrently', async () => {
    cluster.connection.intercept = async ({ method }) => {
      if (method === 'POST') await cluster.clock.settle();
    };
    await Promise.all([record(object, note), record(object, note)]);
    await cluster.clock.advance(seconds(5));
    await record(object, note);
    await record(object, { ...note, message: 'other keys rotated' });
    assert.deepEqual(cluster.logged, []);
    const seen = (await events()).map(
      ({ message, count, firstTimestamp, lastTimestamp }) =>
        `${message}: ${count}, ${firstTimestamp} to ${lastTimestamp}`,
    );
    assert.deepEqual(
      new Set(seen),
      new Set([
        'keys rotated: 3, 2026-01-01T00:00:00Z to 2026-01-01T00:00:05Z',
        'other keys rotated: 1, 2026-01-01T00:00:05Z to 2026-01-01T00:00:05Z',
      ]),
    );
  });

  test('continues the count in a new Event when the server has expired the old one', async () => {
    await record(object, note);
    const [event] = await events();
    await cluster.client.delete(Event, { namespace: 'default', name: event?.metadata.name ?? '' });
    await record(object, note);
    assert.deepEqual(
      (await events()).map(({ count }) => count),
      [2],
    );
  });

  test('never fails: what cannot be sent is logged', async () => {
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    await record(object, note);
    assert.deepEqual(
      cluster.logged.map(({ level, message }) => [level, message]),
      [['warn', 'cannot record an Event']],
    );
  });

  test('allows 25 Events of an object at once, then one in five minutes; other objects are not affected', async () => {
    const send = async (count: number) => {
      for (let index = 0; index < count; index += 1) await record(object, note);
    };
    await send(100);
    assert.deepEqual(await counted(), [25]);
    await cluster.clock.advance(minutes(15));
    await send(100);
    assert.deepEqual(await counted(), [28]);
    const metadata = { name: 'b', namespace: 'default' };
    await record(await cluster.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }), note);
    assert.deepEqual(await counted(), [28, 1]);
  });

  test('keeps its rate limit when the clock is set back', async () => {
    let behind = 0;
    const clock = { ...cluster.clock, now: () => cluster.clock.now() - behind };
    record = eventRecorder({
      ...cluster,
      client: cluster.connection.client,
      clock,
      component: 'test-controller',
      signal: new AbortController().signal,
    });
    await record(object, note);
    behind = minutes(24 * 60);
    await record(object, note);
    assert.deepEqual(await counted(), [2]);
  });

  test('combines the eleventh and further messages of one reason within ten minutes', async () => {
    const observed = async () => (await events()).filter(({ message }) => message?.startsWith('(combined'));
    await tellKeys(1, 10);
    assert.deepEqual(await observed(), []);
    await tellKeys(11, 13);
    await tellKeys(3, 3);
    assert.deepEqual(
      (await observed()).map(({ message, count }) => [message, count]),
      [['(combined from similar events): key 13 rotated', 3]],
    );
    await cluster.clock.advance(minutes(30));
    await tellKeys(14, 14);
    assert.equal((await events()).filter(({ message }) => message === 'key 14 rotated').length, 1);
  });
});
