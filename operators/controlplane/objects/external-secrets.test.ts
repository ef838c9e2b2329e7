// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { adminPassword, dbCredentials } from './external-secrets.ts';

const controlPlane = controlPlaneFixture();
const secretStoreRef = { kind: 'ClusterSecretStore', name: 'store' };

describe('the ExternalSecrets of a ControlPlane', () => {
  test('read the database account from the path of this very ControlPlane, into a Secret that mariadb-operator watches', () => {
    const name = 'controlplane-keystone-db-credentials';
    const key = 'openstack/keystone/openstack/controlplane/db';
    assert.deepEqual(dbCredentials(controlPlane, 'store'), {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name, labels: { 'k8s.mariadb.com/watch': '' } },
      spec: {
        refreshInterval: '1h0m0s',
        secretStoreRef,
        target: { name, creationPolicy: 'Owner' },
        data: [
          { secretKey: 'username', remoteRef: { key, property: 'username' } },
          { secretKey: 'password', remoteRef: { key, property: 'password' } },
        ],
      },
    });
  });

  test('read the admin password from the path of its Keystone', () => {
    const name = 'controlplane-keystone-admin-credentials';
    const key = 'bootstrap/openstack/controlplane-keystone/admin';
    assert.deepEqual(adminPassword(controlPlane, 'store'), {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name },
      spec: {
        refreshInterval: '1h0m0s',
        secretStoreRef,
        target: { name, creationPolicy: 'Owner' },
        data: [{ secretKey: 'password', remoteRef: { key, property: 'password' } }],
      },
    });
  });
});
