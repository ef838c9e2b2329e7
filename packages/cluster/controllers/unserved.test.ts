// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { DaemonSet, Event, Ingress, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { web } from './test/manifests.ts';

const metadata = { name: 'web', namespace: 'default' };
const labels = { app: 'web' };

function daemonSet(): DaemonSet {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'v1' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec };
}

function service(type: string): Service {
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { type, selector: labels, ports: [{ port: 80 }] } };
}

function ingress(): Ingress {
  const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec: { defaultBackend } };
}

async function notServed(client: Client): Promise<Event[]> {
  return (await client.list(Event, { fieldSelector: 'reason=NotServed' })).items;
}

describe('an object that no controller serves', () => {
  test('has an Event about that until a controller serves it', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(DaemonSet, daemonSet());
    await client.create(Ingress, ingress());
    await client.create(Service, service('LoadBalancer'));
    await clock.advance(seconds(9));
    assert.deepEqual(await notServed(client), []);
    await clock.advance(seconds(2));
    const events = await notServed(client);
    assert.deepEqual(events.map(({ type, involvedObject: { kind, name } }) => `${type} ${kind}/${name}`).toSorted(), [
      'Warning DaemonSet/web',
      'Warning Ingress/web',
      'Warning Service/web',
    ]);
    for (const { message } of events) assert.match(message ?? '', /^no controller of this cluster serves .*; use /);
    await clock.advance(minutes(20));
    assert.deepEqual(
      (await notServed(client)).map(({ count }) => count),
      [3, 3, 3],
    );
  });

  test('gets no further Event once a controller serves it', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(DaemonSet, daemonSet());
    await client.create(Ingress, ingress());
    await client.create(Service, service('LoadBalancer'));
    await clock.advance(seconds(5));
    await client.patch(DaemonSet, metadata, 'merge', { status: { observedGeneration: 1 } }, { subresource: 'status' });
    await clock.advance(seconds(10));
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    await client.patch(Ingress, metadata, 'merge', { status }, { subresource: 'status' });
    await client.patch(Service, metadata, 'merge', { status }, { subresource: 'status' });
    await clock.advance(minutes(40));
    const events = await notServed(client);
    assert.deepEqual(
      events.map(({ count, involvedObject }) => [involvedObject.kind, count]),
      [
        ['Ingress', 1],
        ['Service', 1],
      ],
    );
  });

  test('is not a StatefulSet, which this cluster serves', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    const { spec } = web('v1', { replicas: 1 });
    assert.ok(spec);
    const { selector, template } = spec;
    const set = { serviceName: 'web', selector, template };
    await client.create(StatefulSet, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: set });
    await clock.advance(minutes(1));
    assert.equal((await client.get(StatefulSet, metadata)).status?.readyReplicas, 1);
    assert.deepEqual(await notServed(client), []);
  });

  test('is not a Service of another type', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Service, service('NodePort'));
    await clock.advance(minutes(1));
    assert.deepEqual(await notServed(client), []);
  });
});
