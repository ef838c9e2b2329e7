// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Service } from '@forge/kube/kinds/builtin.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { gatewayController, type DecideRoute } from './gateway.ts';
import { standInCluster, type StandInCluster } from './test/stand-in-cluster.ts';

const ref = { namespace: 'default', name: 'ks' };
const route = (spec: Partial<HTTPRoute['spec']> = {}): HTTPRoute => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: ref,
  spec: {
    parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
    hostnames: ['keystone.example.com'],
    rules: [{ backendRefs: [{ name: 'ks', port: 5000 }] }],
    ...spec,
  },
});
const service: Service = { apiVersion: 'v1', kind: 'Service', metadata: ref, spec: { ports: [{ port: 5000 }] } };

const verdicts = async ({ client }: StandInCluster) =>
  (await client.get(HTTPRoute, ref)).status?.parents[0]?.conditions?.map(({ status, reason }) => `${status} ${reason}`);

async function started(decide?: DecideRoute): Promise<StandInCluster> {
  const cluster = await standInCluster(() => gatewayController(decide));
  await cluster.client.create(HTTPRoute, route());
  await cluster.clock.settle();
  return cluster;
}

describe('an HTTPRoute', () => {
  test('is accepted at its generation, and its backend is resolved once it exists', async () => {
    await using cluster = await started();
    assert.deepEqual(await verdicts(cluster), ['True Accepted', 'False BackendNotFound']);
    await cluster.client.create(Service, service);
    await cluster.clock.settle();
    assert.deepEqual(await verdicts(cluster), ['True Accepted', 'True ResolvedRefs']);
    await cluster.client.patch(HTTPRoute, ref, 'merge', { spec: { hostnames: ['other.example.com'] } });
    await cluster.clock.settle();
    const { status, metadata } = await cluster.client.get(HTTPRoute, ref);
    assert.equal(metadata.generation, 2);
    const parent = status?.parents[0];
    assert.deepEqual(
      parent?.conditions?.map(({ observedGeneration }) => observedGeneration),
      [2, 2],
    );
    assert.deepEqual(parent.parentRef, {
      group: 'gateway.networking.k8s.io',
      kind: 'Gateway',
      name: 'public',
      namespace: 'gateways',
      sectionName: 'https',
    });
  });

  test('is refused, accepted late or ignored, as scripted', async () => {
    await using refusing = await started(() => ({ refused: 'NotAllowedByListeners' }));
    assert.equal((await verdicts(refusing))?.[0], 'False NotAllowedByListeners');
    await using ignoring = await started(() => ({ ignored: true }));
    assert.equal((await ignoring.client.get(HTTPRoute, ref)).status, undefined);
    await using slow = await started(() => ({ after: seconds(20) }));
    await slow.clock.advance(seconds(19));
    assert.equal(await verdicts(slow), undefined);
    await slow.clock.advance(seconds(1));
    assert.equal((await verdicts(slow))?.[0], 'True Accepted');
  });

  test('has the defaults of the schema, and is not created when it violates a rule', async () => {
    await using cluster = await standInCluster(() => gatewayController());
    const refused = (spec: Partial<HTTPRoute['spec']>, message: RegExp) =>
      assert.rejects(cluster.client.create(HTTPRoute, route(spec)), message);
    await refused({ hostnames: ['Keystone.example.com'] }, /hostnames/);
    await refused({ rules: [{ backendRefs: [{ name: 'ks' }] }] }, /Must have port for Service reference/);
    await refused({ rules: [{ matches: [{ path: { value: 'v3' } }] }] }, /start with '\/'/);
    await refused({ parentRefs: [{ name: 'a' }, { name: 'a' }] }, /sectionName must be unique/);
    const { spec } = await cluster.client.create(HTTPRoute, route());
    assert.deepEqual(spec.rules?.[0], {
      matches: [{ path: { type: 'PathPrefix', value: '/' } }],
      backendRefs: [{ group: '', kind: 'Service', name: 'ks', port: 5000, weight: 1 }],
    });
  });
});
