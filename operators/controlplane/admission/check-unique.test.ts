// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { checkUnique } from './check-unique.ts';

const named = (name: string, namespace = home.namespace): ControlPlane => ({
  ...controlPlaneFixture(),
  metadata: { name, namespace },
});

describe('one ControlPlane per namespace', () => {
  test('a second one is refused by its name, also while the first is terminating; elsewhere it is allowed', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true });
    const { client, webhookRequests } = cluster;
    await client.create(ControlPlane, named('first'));
    const refused = {
      message:
        /ControlPlane\.c5c3\.io "second" is invalid: metadata\.namespace: Forbidden: only one ControlPlane is permitted per namespace; "first" already exists in namespace "openstack"$/,
    };
    await assert.rejects(client.create(ControlPlane, named('second')), refused);
    const ref = { ...home, name: 'first' };
    await client.patch(ControlPlane, ref, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    await client.delete(ControlPlane, ref);
    await assert.rejects(client.create(ControlPlane, named('second')), refused);
    await client.create(ControlPlane, named('second', 'elsewhere'));
    assert.deepEqual(webhookRequests.slice(0, 1), ['GET /apis/c5c3.io/v1alpha1/namespaces/openstack/controlplanes']);
  });

  test('is not asked for in updates, nor of a ControlPlane that is wrong by itself', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true });
    const { client, webhookRequests } = cluster;
    await client.create(ControlPlane, named('first'));
    webhookRequests.length = 0;
    await client.patch(ControlPlane, { ...home, name: 'first' }, 'merge', {
      spec: { services: { keystone: { replicas: 5 } } },
    });
    const wrong = named('second');
    wrong.spec = { ...wrong.spec, services: { keystone: { rotationInterval: '24h1us' } } };
    await assert.rejects(client.create(ControlPlane, wrong), /rotationInterval/);
    assert.deepEqual(webhookRequests, []);
  });

  test('is no longer asked for when the request is cancelled', async () => {
    const { signal } = new AbortController();
    let passed: AbortSignal | undefined;
    const list = async (_: unknown, options: { signal?: AbortSignal }) => {
      passed = options.signal;
      return { items: [] };
    };
    await checkUnique(named('first'), { client: { list } as unknown as Client, signal });
    assert.equal(passed, signal);
  });

  test('a list that fails refuses the write as an internal error', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true });
    const { client } = cluster;
    const failing = { ...client, list: () => Promise.reject(new Error('etcd is gone')) } as typeof client;
    const signal = new AbortController().signal;
    assert.deepEqual(await checkUnique(named('first'), { client: failing, signal }), {
      failure: 'listing ControlPlanes in namespace "openstack" to enforce one-per-namespace: etcd is gone',
    });
  });
});
