// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeCluster } from '../test/complete-cluster.ts';
import { labels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { jobServiceAccounts, serverRole, serverRoleBinding, serverServiceAccount } from './access.ts';

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

/** The names of those that are wanted. */
const namesIn = (accounts: object) => Object.keys(JSON.parse(JSON.stringify(accounts)) as object);

test('whoever makes snapshots or upgrades has an account of his own where the spec asks for it', () => {
  assert.deepEqual(namesIn(jobServiceAccounts(openbaoFixture())), []);
  const upgrade = { tokenSecretRef: { name: 'token' } };
  assert.deepEqual(namesIn(jobServiceAccounts(openbaoFixture({ upgrade }))), []);
  const { backup } = completeCluster().spec;
  const cluster = openbaoFixture({ upgrade: { jwtAuthRole: 'upgrades' }, ...(backup && { backup }) });
  assert.deepEqual(namesIn(jobServiceAccounts(cluster)), ['demo-backup-serviceaccount', 'demo-upgrade-serviceaccount']);
  assert.deepEqual(jobServiceAccounts(cluster)['demo-upgrade-serviceaccount'], {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'demo-upgrade-serviceaccount', labels: { ...labels, 'openbao.org/component': 'upgrade' } },
    automountServiceAccountToken: false,
  });
});
