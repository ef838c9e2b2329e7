// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type * as Library from '@kubernetes/client-node';
import { holdEvents } from '../faults/hold-events.ts';
import { servedServer, type ServedServer } from './served-server.ts';

const namespace = 'default';
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const isWatch = ({ query }: { query: Readonly<Record<string, string>> }): boolean => query['watch'] === 'true';

describe('the client of the Kubernetes project', () => {
  let served: ServedServer;
  let library: typeof Library;
  let config: Library.KubeConfig;
  let api: Library.CoreV1Api;

  before(async () => {
    // It takes half a second to load.
    [served, library] = await Promise.all([servedServer(), import('@kubernetes/client-node')]);
    config = new library.KubeConfig();
    config.loadFromFile(served.kubeconfig);
    api = config.makeApiClient(library.CoreV1Api);
  });
  after(() => served[Symbol.asyncDispose]());

  const create = (name: string) => api.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });

  test('reads, writes and lists', async () => {
    const body = await create('mine');
    body.data = { color: 'red' };
    const replaced = await api.replaceNamespacedConfigMap({ namespace, name: 'mine', body });
    assert.deepEqual(await api.readNamespacedConfigMap({ namespace, name: 'mine' }), replaced);
    const { items } = await api.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=mine' });
    assert.deepEqual(
      items.map(({ data }) => data),
      [{ color: 'red' }],
    );
    await assert.rejects(create('mine'), { code: 409 });
    await api.deleteNamespacedConfigMap({ namespace, name: 'mine' });
    await assert.rejects(api.readNamespacedConfigMap({ namespace, name: 'mine' }), { code: 404 });
  });

  test('writes an Event through one group and reads it through the other', async () => {
    await config.makeApiClient(library.EventsV1Api).createNamespacedEvent({
      namespace,
      body: {
        metadata: { name: 'told' },
        regarding: { kind: 'Pod', name: 'web', namespace },
        eventTime: new library.V1MicroTime('2026-01-02T03:04:05.006Z'),
        reportingController: 'example.com/controller',
        reportingInstance: 'a',
        action: 'Start',
        reason: 'Started',
        note: 'it has started',
        type: 'Normal',
      },
    });
    const { items } = await api.listNamespacedEvent({ namespace, fieldSelector: 'involvedObject.name=web' });
    assert.deepEqual(
      items.map(({ message }) => message),
      ['it has started'],
    );
  });

  test('watches', async () => {
    const { metadata } = await api.listNamespacedConfigMap({ namespace });
    const events = new EventEmitter();
    const watching = await new library.Watch(config).watch(
      path,
      { resourceVersion: metadata?.resourceVersion },
      (type, object: Library.V1ConfigMap) => events.emit('event', `${type} ${object.metadata?.name}`),
      () => {},
    );
    const observed = on(events, 'event');
    await create('watched');
    await api.deleteNamespacedConfigMap({ namespace, name: 'watched' });
    assert.deepEqual((await observed.next()).value, ['ADDED watched']);
    assert.deepEqual((await observed.next()).value, ['DELETED watched']);
    watching.abort();
  });

  test('keeps its informer up to date, across broken connections and compaction', async () => {
    const held = holdEvents();
    const remove = served.line.inject(held.fault, isWatch);
    const informer = library.makeInformer(config, path, () => api.listNamespacedConfigMap({ namespace }));
    const events = new EventEmitter();
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) => events.emit('event', `${verb} ${metadata?.name}`));
    }
    // As its documentation says.
    const restart = (): void => void informer.start();
    informer.on('error', restart);
    const observed = on(events, 'event');
    const next = async (): Promise<unknown> => ((await observed.next()).value as unknown[])[0];
    const eventWaits = async (): Promise<void> => {
      while (held.waiting === 0) await setImmediate();
    };

    const first = await create('first');
    await informer.start();
    while ((await next()) !== 'add first');
    held.release(1);
    first.data = { color: 'red' };
    await api.replaceNamespacedConfigMap({ namespace, name: 'first', body: first });
    assert.equal(await next(), 'update first');

    await create('second');
    await eventWaits();
    held.break();
    held.release(1);
    assert.equal(await next(), 'add second');

    await api.deleteNamespacedConfigMap({ namespace, name: 'second' });
    await eventWaits();
    await create('third');
    served.server.store.compact(served.server.store.current.revision);
    held.break();
    held.open();
    assert.equal(await next(), 'delete second');
    assert.equal(await next(), 'add third');
    informer.off('error', restart);
    await informer.stop();
    remove();
  });
});
