// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { builtinKinds, Deployment, Secret } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { parseAllDocuments } from 'yaml';
import { Keystone } from '../keystone.ts';

/** A server, who installs on it, and who the operator is there. */
async function cluster(namespace: string): Promise<{ admin: Client; operator: Client }> {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
  const name = `system:serviceaccount:${namespace}:keystone-operator`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return {
    admin: client(inProcessTransport(server)),
    operator: client(inProcessTransport(server, { name, groups })),
  };
}

/** Applies every object of a file, as kubectl does. */
async function apply(api: Client, file: string): Promise<void> {
  const text = await readFile(new URL(`../manifests/${file}`, import.meta.url), 'utf8');
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubeObject;
    const kind = builtinKinds.find((each) => each.apiVersion === object.apiVersion && each.kind === object.kind);
    assert.ok(kind, object.kind);
    await api.apply(kind, object, { fieldManager: 'kubectl' });
  }
}

const forbidden = /forbidden/;

describe('the manifests', () => {
  test('install the whole operator on a server that knows nothing of it', async () => {
    const { admin, operator } = await cluster('forge-system');
    await apply(admin, 'install.yaml');
    const { spec } = await admin.get(Deployment, { namespace: 'forge-system', name: 'keystone-operator' });
    assert.equal(spec?.replicas, 2);
    assert.deepEqual((await operator.list(Keystone)).items, []);
    await operator.list(Secret);
  });

  test('install it for one namespace, where it reads no Secret elsewhere', async () => {
    const { admin, operator } = await cluster('forge-system');
    for (const file of ['crds.yaml', 'install-namespaced.yaml']) await apply(admin, file);
    const [home, elsewhere] = [{ namespace: 'forge-system' }, { namespace: 'default' }];
    await operator.list(Keystone, home);
    await operator.list(Secret, home);
    await assert.rejects(operator.list(Keystone, elsewhere), forbidden);
    await assert.rejects(operator.list(Secret, elsewhere), forbidden);
    await assert.rejects(operator.list(Secret), forbidden);
  });
});
