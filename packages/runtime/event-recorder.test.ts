// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Event } from '@forge/kube/builtin.ts';
import { seconds } from './duration.ts';
import { eventRecorder, type EventNote, type EventRecorder } from './event-recorder.ts';
import { testCluster, type TestCluster } from './test/test-cluster.ts';

const note: EventNote = { type: 'Normal', reason: 'Rotated', message: 'keys rotated' };

describe('the event recorder', () => {
  let cluster: TestCluster;
  let object: ConfigMap;
  let record: EventRecorder;

  const events = async () => (await cluster.other.list(Event, { namespace: 'default' })).items;

  beforeEach(async () => {
    cluster = await testCluster();
    const metadata = { name: 'a', namespace: 'default' };
    object = await cluster.other.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    record = eventRecorder({ ...cluster, component: 'test-controller' });
  });

  afterEach(async () => {
    await cluster.close();
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

  test('counts an identical Event up instead of repeating it, also when told at the same time', async () => {
    cluster.intercept = async ({ method }) => {
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

  test('goes on counting in a new Event when the server has dropped the old one', async () => {
    await record(object, note);
    const [event] = await events();
    await cluster.other.delete(Event, { namespace: 'default', name: event?.metadata.name ?? '' });
    await record(object, note);
    assert.deepEqual(
      (await events()).map(({ count }) => count),
      [2],
    );
  });

  test('never fails: what cannot be sent is logged', async () => {
    cluster.intercept = () => {
      throw new Error('connection refused');
    };
    await record(object, note);
    assert.deepEqual(
      cluster.logged.map(({ level, message }) => [level, message]),
      [['warn', 'cannot send an Event']],
    );
  });
});
