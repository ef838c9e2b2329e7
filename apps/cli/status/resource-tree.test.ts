// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlPlaneFixture } from '@forge/controlplane/test/control-plane-fixture.ts';
import { treeOf } from './resource-tree.ts';

const conditionOf = (status: 'True' | 'False', message: string) => (type: string) => ({
  type,
  status,
  reason: status === 'True' ? 'Any' : 'WaitingForDatabase',
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

test('the tree of a ControlPlane shows the objects of each condition, and the conditions it waits for or depends on', () => {
  const credentials = ['DBCredentialsReady', 'AdminPasswordReady'].map(conditionOf('True', 'is there'));
  const infrastructure = conditionOf('False', 'MariaDB "openstack-db" is not ready')('InfrastructureReady');
  const lines = treeOf({ ...controlPlaneFixture(), status: { conditions: [infrastructure, ...credentials] } });
  assert.equal(lines[0], '· ControlPlane openstack/controlplane: not reconciled yet');
  assert.match(lines[1] ?? '', /^├─ · InfrastructureReady +MariaDB "openstack-db" is not ready$/);
  assert.match(lines[2] ?? '', /^├─ ✔ DBCredentialsReady +ExternalSecret controlplane-keystone-db-credentials$/);
  assert.match(lines[4] ?? '', /^├─ · KeystoneReady +waits for InfrastructureReady$/);
  assert.match(lines.at(-1) ?? '', /^└─ · CatalogReady +waits for AdminCredentialReady, KORCReady$/);

  const types = ['InfrastructureReady', 'DBCredentialsReady', 'AdminPasswordReady', 'KeystoneReady'];
  const conditions = types.map(conditionOf('True', 'is there'));
  const [, first = '', , , keystone = ''] = treeOf({ ...controlPlaneFixture(), status: { conditions } });
  assert.match(first, /✔ InfrastructureReady +MariaDB openstack-db, Memcached openstack-memcached$/);
  assert.match(
    keystone,
    /✔ KeystoneReady +after InfrastructureReady, .*AdminPasswordReady +Keystone controlplane-keystone$/,
  );
});
