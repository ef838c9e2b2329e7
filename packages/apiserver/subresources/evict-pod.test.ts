// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pod, PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { pod } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';

test('a terminating pod can be evicted regardless of its budget, and does not count as a disruption', async () => {
  const { api, server } = await testServer({});
  const web = pod('web', 'node-1');
  const ref = { namespace: 'default', name: 'web' };
  await api.create(Pod, { ...web, metadata: { ...web.metadata, labels: { app: 'web' } } });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await api.patch(Pod, ref, 'merge', { status }, { subresource: 'status' });
  await api.create(PodDisruptionBudget, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: ref,
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  const counts = {
    observedGeneration: 1,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed: 0,
  };
  await api.patch(PodDisruptionBudget, ref, 'merge', { status: counts }, { subresource: 'status' });
  const evict = async () => {
    const { status: code } = await server.handle({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods/web/eviction',
      query: {},
      headers: { 'content-type': 'application/json' },
      user: { name: 'admin', groups: ['system:masters'] },
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: ref },
    });
    return code;
  };
  assert.equal(await evict(), 429);
  await api.delete(Pod, ref);
  assert.equal(await evict(), 201);
  const budget = await api.get(PodDisruptionBudget, ref);
  assert.equal(budget.status?.disruptedPods, undefined);
});
