// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { defineResource } from '../resources/resource.ts';
import { EncodedEvents } from '../storage/encoded-events.ts';
import { Store } from '../storage/store.ts';
import { objectView } from '../views/view.ts';
import { selectAll } from './selection.ts';
import { watch, type WatchOptions } from './watch.ts';

const events = new EncodedEvents();

function options(from: number | undefined): WatchOptions {
  return {
    prefix: 'configmaps/',
    selects: selectAll,
    view: objectView(defineResource(ConfigMap, { custom: false, strategy: {}, columns: [] }), events),
    from,
    bookmarks: false,
    markInitialEnd: false,
    kind: { kind: 'ConfigMap', apiVersion: 'v1' },
    timeout: undefined,
    signal: undefined,
  };
}

function commit(store: Store, name: string): void {
  const object: KubeObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } };
  const key = `configmaps/default/${name}`;
  store.commit(key, store.current.objects.get(key), object);
}

test('a watch from before the compacted revision gets 410, also when it falls behind later', async () => {
  const store = new Store();
  for (const name of ['a', 'b', 'c']) commit(store, name);
  const slow = watch(store, virtualClock(), options(1));
  const { value: first } = await slow.next();
  assert.deepEqual((first as { value: { object: KubeObject } }).value.object.metadata.name, 'b');
  commit(store, 'd');
  store.compact(3);
  for (const stream of [slow, watch(store, virtualClock(), options(1))]) {
    const [observed] = await Array.fromAsync(stream);
    assert.deepEqual(observed?.value, {
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `too old resource version: ${stream === slow ? 2 : 1} (3)`,
        reason: 'Expired',
        code: 410,
      },
    });
  }
});

test('all watches share the bytes of an event', async () => {
  const store = new Store();
  const watchers = [watch(store, virtualClock(), options(0)), watch(store, virtualClock(), options(0))];
  commit(store, 'a');
  const [one, other] = await Promise.all(watchers.map(async (watcher) => (await watcher.next()).value));
  assert.ok(one !== undefined && other !== undefined);
  assert.equal(one.bytes, other.bytes);
  assert.equal(JSON.parse(Buffer.from(one.bytes).toString()).type, 'ADDED');
});
