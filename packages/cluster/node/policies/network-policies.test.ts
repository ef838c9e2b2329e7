// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { Namespace, NetworkPolicy, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger, type LogEntry } from '@forge/runtime/observability/logger.ts';
import type { FilterContent } from '../network/filter-table.ts';
import { networkPolicies } from './network-policies.ts';

const pod = (name: string, namespace: string, labels: Record<string, string> = { app: name }): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, uid: name, labels },
  spec: { containers: [] },
});

const policy: NetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'api', namespace: 'openstack' },
  spec: {
    podSelector: { matchLabels: { app: 'api' } },
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'web' } } }] }],
  },
};

/** Policies of a real API server, with a packet filter that records its content. */
async function followed() {
  await using stack = new AsyncDisposableStack();
  const clock = virtualClock();
  const random = seededRandom();
  const logged: LogEntry[] = [];
  const log = logger({ clock, write: (entry) => logged.push(entry) });
  const server = await apiServer({ clock, random });
  stack.defer(() => server.close());
  const kube = client(inProcessTransport(server));
  for (const name of ['openstack', 'web']) {
    await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const state: { content: FilterContent; failures: number } = { content: { maps: {} }, failures: 0 };
  const update = async (content: FilterContent) => {
    if (state.failures-- > 0) throw new Error('no memory');
    state.content = content;
  };
  const abort = new AbortController();
  stack.defer(() => abort.abort());
  const events: string[] = [];
  const event = async ({ metadata }: KubeObject, { reason }: { reason: string }) => {
    events.push(`${metadata.name} ${reason}`);
  };
  const watching = { client: kube, clock, random, log, event };
  const policies = await networkPolicies({ update }, watching, abort.signal);
  const owned = stack.move();
  return {
    kube,
    clock,
    state,
    logged,
    events,
    policies,
    /** The ingress rules of the API pod, once the changes have arrived. */
    rules: async (): Promise<readonly string[] | undefined> => {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      const { maps, sets } = state.content;
      const rules = maps['ingress']?.get('10.244.0.2');
      return rules?.map((rule) => rule.replace(/@(\S+)/, (_, set: string) => sets?.get(set)?.elements.join() ?? ''));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const refuse = 'reject with icmp admin-prohibited';
const front = 'ip saddr 10.244.0.3 return';

describe('NetworkPolicies', () => {
  test('are in force for a pod before its containers start', async () => {
    await using cluster = await followed();
    await cluster.kube.create(NetworkPolicy, policy);
    await cluster.rules();
    await cluster.policies.protect(pod('api', 'openstack'), '10.244.0.2');
    assert.deepEqual(await cluster.rules(), [refuse]);
  });

  test('follow changes of policies, of labels of namespaces and pods, and the deletion of pods', async () => {
    await using cluster = await followed();
    const { kube, policies, rules } = cluster;
    await policies.protect(pod('api', 'openstack'), '10.244.0.2');
    await policies.protect(pod('front', 'web'), '10.244.0.3');
    assert.equal(await rules(), undefined);
    await kube.create(NetworkPolicy, policy);
    assert.deepEqual(await rules(), [refuse]);
    await kube.patch(Namespace, { name: 'web' }, 'merge', { metadata: { labels: { team: 'web' } } });
    assert.deepEqual(await rules(), [front, refuse]);
    policies.update(pod('api', 'openstack', {}));
    assert.equal(await rules(), undefined);
    policies.update(pod('api', 'openstack'));
    assert.deepEqual(await rules(), [front, refuse]);
    policies.forget('front');
    assert.deepEqual(await rules(), [refuse]);
    policies.update(pod('front', 'web'));
    assert.deepEqual(await rules(), [refuse], 'a pod whose network is removed has no address');
    await kube.delete(NetworkPolicy, { namespace: 'openstack', name: 'api' });
    assert.equal(await rules(), undefined);
  });

  test('that cannot be enforced are retried; a pod does not start without them', async () => {
    await using cluster = await followed();
    const { kube, clock, state, logged, policies, rules } = cluster;
    state.failures = 1;
    await assert.rejects(policies.protect(pod('api', 'openstack'), '10.244.0.2'), { message: 'no memory' });
    await policies.protect(pod('api', 'openstack'), '10.244.0.2');
    state.failures = 1;
    await kube.create(NetworkPolicy, policy);
    assert.equal(await rules(), undefined);
    assert.equal(logged.at(-1)?.message, 'NetworkPolicies cannot be enforced; retrying');
    await clock.advance(seconds(1));
    assert.deepEqual(await rules(), [refuse]);
  });

  test('that are too large isolate their pods and allow nothing, and an Event reports it', async () => {
    await using cluster = await followed();
    const { kube, policies, rules, events } = cluster;
    await policies.protect(pod('api', 'openstack'), '10.244.0.2');
    await policies.protect(pod('front', 'openstack'), '10.244.0.3');
    const from = [{ podSelector: {} }];
    await kube.create(NetworkPolicy, { ...policy, spec: { ...policy.spec, ingress: [{ from }] } });
    assert.deepEqual(await rules(), ['ip saddr 10.244.0.2-10.244.0.3 return', refuse]);
    const ports = Array.from({ length: 3000 }, (_, index) => ({ protocol: 'TCP', port: index + 1 }));
    const ref = { namespace: 'openstack', name: 'api' };
    await kube.patch(NetworkPolicy, ref, 'merge', { spec: { ingress: [{ from, ports }] } });
    assert.deepEqual(await rules(), [refuse]);
    assert.deepEqual(events, ['api PolicyTooLarge']);
  });
});
