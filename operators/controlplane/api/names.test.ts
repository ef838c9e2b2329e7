// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushContentHashAnnotation } from '@forge/openstack/secret-store.ts';
import { brownfield, controlPlaneFixture } from '../test/control-plane-fixture.ts';
import {
  authUrlOf,
  catalogUrlOf,
  credentialNameOf,
  credentialPrefixOf,
  fieldManager,
  forceSyncAnnotation,
  korcFinalizerPrefix,
  mariadbWatchLabel,
  namesOf,
  passwordHashAnnotation,
  passwordRefOf,
  publicUrlOf,
  remoteKeysOf,
  teardownFinalizer,
} from './names.ts';
import { cacheClusterOf, cloudNameOf, databaseClusterOf, isManaged, regionOf } from './settings.ts';

test('names, paths, finalizers and annotations are those of the specification: clusters and OpenBao know them', () => {
  const controlPlane = controlPlaneFixture();
  assert.deepEqual(namesOf(controlPlane), {
    keystone: 'controlplane-keystone',
    dbCredentials: 'controlplane-keystone-db-credentials',
    adminPassword: 'controlplane-keystone-admin-credentials',
    applicationCredential: 'controlplane-admin-app-credential',
    backup: 'controlplane-admin-app-credential-backup',
    passwordCloud: 'controlplane-admin-password-cloud',
    cloudsYaml: 'k-orc-clouds-yaml',
    domain: 'controlplane-domain-default',
    user: 'controlplane-user-admin',
    identityService: 'controlplane-identity-service',
    identityEndpoint: 'controlplane-identity-endpoint',
  });
  assert.deepEqual(remoteKeysOf(controlPlane), {
    database: 'openstack/keystone/openstack/controlplane/db',
    adminPassword: 'bootstrap/openstack/controlplane-keystone/admin',
    applicationCredential: 'openstack/keystone/openstack/controlplane/admin/app-credential',
  });
  assert.deepEqual(
    [passwordHashAnnotation, forceSyncAnnotation, pushContentHashAnnotation, mariadbWatchLabel],
    [
      'forge.c5c3.io/admin-password-hash',
      'external-secrets.io/force-sync',
      'c5c3.io/push-content-hash',
      'k8s.mariadb.com/watch',
    ],
  );
  assert.deepEqual(
    [teardownFinalizer, korcFinalizerPrefix, fieldManager],
    ['c5c3.io/orc-teardown', 'openstack.k-orc.cloud/', 'forge-operator'],
  );
});

test('the name of an application credential in Keystone changes with its secret value', () => {
  const controlPlane = controlPlaneFixture();
  assert.equal(credentialPrefixOf(controlPlane), 'openstack.controlplane.');
  assert.equal(credentialNameOf(controlPlane, 'hunter2'), 'openstack.controlplane.f52fbd32b2b3');
});

test('the admin password is that of OpenBao in managed mode, the user’s own in brownfield mode', () => {
  const controlPlane = controlPlaneFixture();
  assert.deepEqual(passwordRefOf(controlPlane), { name: 'controlplane-keystone-admin-credentials', key: 'password' });
  const { adminCredential } = controlPlane.spec.korc;
  const own = (key: string) =>
    controlPlaneFixture({
      infrastructure: brownfield,
      korc: { adminCredential: { ...adminCredential, passwordSecretRef: { name: 'mine', key } } },
    });
  assert.deepEqual(passwordRefOf(own('pass')), { name: 'mine', key: 'pass' });
  assert.deepEqual(passwordRefOf(own('')), { name: 'mine', key: 'password' });
});

test('the catalog has the public URL where there is one; logins stay inside the cluster', () => {
  const inside = 'http://controlplane-keystone.openstack.svc:5000/v3';
  const controlPlane = controlPlaneFixture();
  assert.deepEqual(
    [authUrlOf(controlPlane), publicUrlOf(controlPlane), catalogUrlOf(controlPlane)],
    [inside, undefined, inside],
  );
  const gateway = { parentRef: { name: 'gw' }, hostname: 'id.example' };
  const exposed = controlPlaneFixture({ services: { keystone: { gateway } } });
  assert.deepEqual([authUrlOf(exposed), catalogUrlOf(exposed)], [inside, 'https://id.example/v3']);
  const publicEndpoint = 'https://id.example/identity/v3';
  const named = controlPlaneFixture({ services: { keystone: { gateway, publicEndpoint } } });
  assert.equal(catalogUrlOf(named), publicEndpoint);
});

test('what the webhook would have filled in counts without it as well', () => {
  const { spec } = controlPlaneFixture();
  const { database, cache } = spec.infrastructure;
  const empty = controlPlaneFixture({
    region: '',
    infrastructure: {
      database: { ...database, clusterRef: { name: '' } },
      cache: { ...cache, clusterRef: { name: '' } },
    },
    korc: {
      adminCredential: { ...spec.korc.adminCredential, cloudCredentialsRef: { cloudName: '', secretName: '' } },
    },
  });
  assert.deepEqual(
    [databaseClusterOf(empty), cacheClusterOf(empty), regionOf(empty), cloudNameOf(empty), namesOf(empty).cloudsYaml],
    ['openstack-db', 'openstack-memcached', 'RegionOne', 'admin', 'k-orc-clouds-yaml'],
  );
  const own = controlPlaneFixture({ infrastructure: { ...brownfield, cache } });
  assert.deepEqual(
    [isManaged(own), databaseClusterOf(own), cacheClusterOf(own)],
    [false, undefined, 'openstack-memcached'],
  );
});
