// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Deployment } from '@forge/kube/kinds/builtin.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { manager, type Manager } from '../controller/manager.ts';
import { applier, type Apply } from './applier.ts';

const fieldManager = 'test';
const env = [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];

/** A Deployment that the server completes inside an atomic field, so that it never equals what was applied. */
const deployment = (name: string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:1', env }] } },
  },
});

describe('the responses that an applier remembers', () => {
  let cluster: TestCluster;
  let running: Manager;
  let apply: Apply;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    running = manager({ ...cluster, client: cluster.connection.client });
    running.add({ name: 'test', for: Deployment, fieldManagers: [fieldManager], reconcile: async () => undefined });
    await running.start();
    apply = applier(fieldManager, 2);
  });

  afterEach(async () => {
    await running.stop();
    await cluster[Symbol.asyncDispose]();
  });

  /** Applies these Deployments in turn; returns those for which that took a request. */
  async function requestedFor(...names: string[]): Promise<string[]> {
    const { cache } = running;
    cluster.connection.requests.length = 0;
    for (const name of names) {
      await apply(Deployment, deployment(name), {
        ...cluster,
        client: cluster.connection.client,
        cache,
        signal: new AbortController().signal,
      });
      await cluster.clock.settle();
    }
    return cluster.connection.requests.flatMap((request) => /^PATCH .*\/deployments\/(.*)$/.exec(request)?.[1] ?? []);
  }

  test('saves a request for as many objects as its limit allows, and forgets the oldest beyond it', async () => {
    assert.deepEqual(await requestedFor('a', 'b'), ['a', 'b']);
    assert.deepEqual(await requestedFor('a', 'b'), []);
    assert.deepEqual(await requestedFor('c'), ['c']);
    assert.deepEqual(await requestedFor('b', 'c', 'a'), ['a']);
  });
});
