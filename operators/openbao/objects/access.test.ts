// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { serverRole, serverRoleBinding, serverServiceAccount } from './access.ts';

test('servers may find pods and label them, and get a token only where one is mounted', () => {
  const cluster = openbaoFixture();
  const apiGroup = 'rbac.authorization.k8s.io';
  assert.deepEqual(serverServiceAccount(cluster), {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'demo-serviceaccount', labels },
    automountServiceAccountToken: false,
  });
  assert.deepEqual(serverRole(cluster), {
    apiVersion: `${apiGroup}/v1`,
    kind: 'Role',
    metadata: { name: 'demo-serviceaccount-role', labels },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'patch', 'update'] }],
  });
  assert.deepEqual(serverRoleBinding(cluster), {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'demo-serviceaccount-rolebinding', labels },
    subjects: [{ kind: 'ServiceAccount', name: 'demo-serviceaccount', namespace: 'default' }],
    roleRef: { apiGroup, kind: 'Role', name: 'demo-serviceaccount-role' },
  });
});
