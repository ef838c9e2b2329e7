// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import { attemptFromNamespace, attemptFromPod } from '@forge/testing/programs/attempt-connections.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { openbao } from '../../openbao/openbao-objects.ts';
import type { LiveKeystone } from './live-keystone.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { loneKeystone, ref } from './lone-keystone.ts';

const named = (name: string) => ({ namespaceSelector: { 'kubernetes.io/metadata.name': name } });
const service = `${ref.name}.${ref.namespace}.svc:5000`;
const refused = 'EHOSTUNREACH';

describe('the NetworkPolicy of a Keystone, enforced', () => {
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  let keystone: LiveKeystone;
  let address: string;

  before(async () => {
    ({ cluster, keystone } = await loneKeystone(stack, { networkPolicy: { ingress: [named('dashboard')] } }));
    const [pod] = await keystone.pods();
    address = pod?.status?.podIP ?? assert.fail('the API pod has no address');
  });
  after(() => stack.disposeAsync());

  const admitted = (namespace: string) => async () =>
    (await attemptFromNamespace(cluster, namespace, [service]))[service] === 'connected';

  test('allows it to become ready and issue tokens: operator, database, cache and DNS can be reached', async () => {
    assert.equal((await keystone.condition('NetworkPolicyReady'))?.reason, 'NetworkPolicyReady');
    assert.equal((await keystone.condition('KeystoneAPIReady'))?.status, 'True');
    assert.ok(await keystone.login());
  });

  test('allows the operator’s namespace and the declared one to reach only the API port, by pod and by Service', async () => {
    const targets = [service, `${address}:5000`, `${address}:5001`];
    for (const namespace of ['dashboard', cluster.operator.namespace]) {
      assert.deepEqual(
        await attemptFromNamespace(cluster, namespace, targets),
        { [service]: 'connected', [`${address}:5000`]: 'connected', [`${address}:5001`]: refused },
        namespace,
      );
    }
  });

  test('refuses every other namespace, the Keystone’s own included', async () => {
    for (const namespace of ['elsewhere', ref.namespace]) {
      assert.deepEqual(
        await attemptFromNamespace(cluster, namespace, [service, `${address}:5000`]),
        { [service]: refused, [`${address}:5000`]: refused },
        namespace,
      );
    }
  });

  test('allows the API pod to reach its database, its cache and DNS, and nothing else', async () => {
    const [pod = assert.fail('no API pod')] = await keystone.pods();
    const webhook = `${cluster.operator.name}.${cluster.operator.namespace}.svc:443`;
    const expected = {
      [`mariadb.${ref.namespace}.svc:3306`]: 'connected',
      [`${ref.name}-cache.${ref.namespace}.svc:11211`]: 'connected',
      '10.96.0.10:53': 'connected',
      [service]: 'connected',
      [`${openbao.name}.${openbao.namespace}.svc:8200`]: refused,
      [webhook]: refused,
      'kubernetes.default.svc:443': refused,
      '10.244.0.1:6443': refused,
      '10.244.0.1:10250': refused,
      'nowhere.default.svc:80': 'unknown name',
    };
    assert.deepEqual(await attemptFromPod(cluster, pod, Object.keys(expected)), expected);
  });

  test('follows the spec: a declared namespace is allowed, and without a policy every namespace', async () => {
    await keystone.change({ networkPolicy: { ingress: [named('elsewhere')] } });
    await eventually('the other namespace is allowed', admitted('elsewhere'));
    assert.equal(await admitted('dashboard')(), false);
    await keystone.change({ networkPolicy: null });
    await eventually(
      'the policy is deleted',
      async () => (await cluster.client.find(NetworkPolicy, ref)) === undefined,
    );
    await eventually('every namespace is allowed', admitted('dashboard'));
  });
});
