// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, EndpointSlice, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { web } from '../test/manifests.ts';

const webService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};

async function slices(client: Client): Promise<EndpointSlice[]> {
  return (await client.list(EndpointSlice, { labelSelector: 'kubernetes.io/service-name=web' })).items;
}

describe('the EndpointSlices of a Service', () => {
  test('follow its pods, and are deleted with it', async () => {
    await using cluster = await testCluster({ behavior: () => ({ ready: seconds(10) }) });
    const { client, clock } = cluster;
    const service = await client.create(Service, webService);
    await clock.advance(seconds(1));
    const [empty] = await slices(client);
    assert.deepEqual(empty?.endpoints ?? [], []);
    assert.ok(empty);
    assert.equal(empty.metadata.ownerReferences?.[0]?.uid, service.metadata.uid);
    assert.equal(empty.metadata.labels?.['endpointslice.kubernetes.io/managed-by'], 'endpointslice-controller.k8s.io');

    await client.create(Deployment, web('v1', { replicas: 2 }));
    const readiness = async () =>
      (await slices(client)).flatMap(({ endpoints }) => (endpoints ?? []).map(({ conditions }) => conditions?.ready));
    await clock.advance(seconds(5));
    assert.deepEqual(await readiness(), [false, false]);
    await clock.advance(seconds(10));
    assert.deepEqual(await readiness(), [true, true]);
    const [slice, ...others] = await slices(client);
    assert.deepEqual([slice?.ports?.[0]?.port, others.length], [8080, 0]);

    await client.patch(Deployment, { namespace: 'default', name: 'web' }, 'merge', { spec: { replicas: 0 } });
    await clock.until(async () => (await readiness()).length === 0);
    await client.delete(Service, { namespace: 'default', name: 'web' });
    await clock.until(async () => (await slices(client)).length === 0);
  });

  test('are split when pods map a named port differently, and merged when they agree', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    const ports = [{ port: 80, targetPort: 'http' }];
    await client.create(Service, { ...webService, spec: { selector: { app: 'web' }, ports } });
    for (const containerPort of [8080, 9090]) {
      await client.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `on-${containerPort}`, namespace: 'default', labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'x', ports: [{ name: 'http', containerPort }] }] },
      });
    }
    const numbers = async () =>
      (await slices(client))
        .map((slice) => `${slice.ports?.[0]?.port}`)
        .toSorted()
        .join();
    await clock.advance(seconds(1));
    assert.equal(await numbers(), '8080,9090');
    await client.delete(Pod, { namespace: 'default', name: 'on-8080' });
    await clock.advance(seconds(1));
    assert.equal(await numbers(), '9090');
  });

  test('are not managed for a Service without a selector', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Service, { ...webService, spec: { ports: [{ port: 80 }] } });
    await clock.advance(seconds(1));
    assert.deepEqual(await slices(client), []);
  });
});
