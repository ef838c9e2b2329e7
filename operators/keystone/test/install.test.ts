// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deployment, Secret } from '@forge/kube/kinds/builtin.ts';
import { installedOperator } from '@forge/testing/installed-operator.ts';
import { Keystone } from '../api/keystone.ts';

const place = { name: 'keystone-operator', namespace: 'forge-system' };
const file = (name: string) => new URL(`../manifests/${name}`, import.meta.url);
const forbidden = /forbidden/;

describe('the manifests', () => {
  test('install the whole operator on a server that knows nothing of it', async () => {
    const { admin, operator } = await installedOperator(place, [file('install.yaml')]);
    const { spec } = await admin.get(Deployment, place);
    assert.equal(spec?.replicas, 2);
    assert.deepEqual((await operator.list(Keystone)).items, []);
    await operator.list(Secret);
  });

  test('install it for one namespace, where it reads no Secret elsewhere', async () => {
    const { operator } = await installedOperator(place, [file('crds.yaml'), file('install-namespaced.yaml')]);
    const [home, elsewhere] = [{ namespace: 'forge-system' }, { namespace: 'default' }];
    await operator.list(Keystone, home);
    await operator.list(Secret, home);
    await assert.rejects(operator.list(Keystone, elsewhere), forbidden);
    await assert.rejects(operator.list(Secret, elsewhere), forbidden);
    await assert.rejects(operator.list(Secret), forbidden);
  });

  test('install it for listed namespaces, where it works with a Role of each and reads no Secret elsewhere', async () => {
    const files = ['crds.yaml', 'install-namespaces.yaml', 'watched-namespace.yaml'].map(file);
    const { operator } = await installedOperator({ ...place, watched: 'default' }, files);
    const [listed, own, other] = ['default', place.namespace, 'kube-public'].map((namespace) => ({ namespace }));
    await operator.list(Keystone, listed);
    await operator.list(Secret, listed);
    // For its certificate.
    await operator.list(Secret, own);
    await assert.rejects(operator.get(Secret, { ...own, name: 'any' }), forbidden);
    for (const elsewhere of [own, other, {}]) await assert.rejects(operator.list(Keystone, elsewhere), forbidden);
    for (const elsewhere of [other, {}]) await assert.rejects(operator.list(Secret, elsewhere), forbidden);
  });
});
