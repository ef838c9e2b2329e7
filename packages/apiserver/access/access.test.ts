// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { client } from '@forge/kube/client/client.ts';
import { impersonate } from '@forge/kube/client/impersonate.ts';
import { ClusterRoleBinding, Pod } from '@forge/kube/kinds/builtin.ts';
import { durableStorage } from '../storage/durable-storage.ts';
import { testServer } from '../test/test-server.ts';
import { inProcessTransport } from '../wire/in-process-transport.ts';

const node = { name: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] };

describe('access', () => {
  test('a node can access what it needs, and nothing else', async () => {
    const { server } = await testServer();
    const transport = inProcessTransport(server, node);
    const status = async (path: string): Promise<number> => (await transport.request({ method: 'GET', path })).status;
    assert.equal(await status('/api/v1/services'), 200);
    for (const path of [
      '/api/v1/pods',
      '/api/v1/nodes',
      '/api/v1/persistentvolumes',
      '/api/v1/namespaces/default/secrets',
      '/apis/apps/v1/deployments',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    ]) {
      assert.equal(await status(path), 403, path);
    }
  });

  test('default roles exist from the start, and every read returns the same', async () => {
    const { get } = await testServer();
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin';
    const { body } = await get(path);
    const { uid, resourceVersion } = (body as Pod).metadata;
    assert.match(uid ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.ok(Number(resourceVersion) > 0);
    assert.deepEqual((await get(path)).body, body);
  });

  test('a deleted default binding stays deleted, in forks too', async () => {
    const { server, api, get } = await testServer();
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:basic-user';
    await api.delete(ClusterRoleBinding, { name: 'system:basic-user' });
    assert.equal((await get(path)).status, 404);
    const fork = await testServer({ forkOf: server });
    assert.equal((await fork.get(path)).status, 404);
  });

  test('default roles are persisted, and missing ones are restored on the next start', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'forge-roles-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin';
    const first = await testServer({ storage: await durableStorage(folder) });
    const { body: before } = await first.get(path);
    await first.api.delete(ClusterRoleBinding, { name: 'system:basic-user' });
    await first.server.close();
    const second = await testServer({ storage: await durableStorage(folder) });
    assert.deepEqual((await second.get(path)).body, before);
    assert.equal((await second.get(path.replace('cluster-admin', 'system:basic-user'))).status, 200);
    await second.server.close();
  });

  test('impersonated group names may contain commas', async () => {
    const { transport } = await testServer();
    const groups = ['readers', 'writers, and others'];
    const asJane = impersonate(transport, { user: 'jane', groups });
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body } = await asJane.request({ method: 'POST', path, body: {} });
    const { status } = body as { status: { userInfo: { groups: string[] } } };
    assert.deepEqual(status.userInfo.groups, [...groups, 'system:authenticated']);
  });

  test('an in-process client is an administrator by default', async () => {
    const { server, api } = await testServer();
    assert.deepEqual((await api.list(Pod)).items, []);
    const stranger = client(inProcessTransport(server, { name: 'jane', groups: [] }));
    await assert.rejects(
      stranger.list(Pod),
      /User "jane" cannot list resource "pods" in API group "" at the cluster scope/,
    );
  });
});
