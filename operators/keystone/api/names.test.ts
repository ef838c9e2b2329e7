// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import {
  databaseFinalizer,
  endpointOf,
  fieldManager,
  internalUrl,
  keyNamesOf,
  lastJobAnnotation,
  namesOf,
  openBaoFinalizer,
  pushSecretFinalizer,
} from './names.ts';

test('names, finalizers and annotations are those of the specification: clusters and dashboards know them', () => {
  const keystone = keystoneFixture();
  assert.deepEqual(Object.values(namesOf(keystone)), [
    'identity',
    'identity-digest-key',
    'identity-db-connection',
    'identity-fernet-keys',
    'identity-fernet-keys-rotation',
    'identity-credential-keys',
    'identity-credential-keys-rotation',
    'identity-config',
    'identity-db-sync',
    'identity-schema-check',
    'identity-db-expand',
    'identity-db-migrate',
    'identity-db-contract',
    'identity-policy-validation',
    'identity-bootstrap',
    'identity-trust-flush',
  ]);
  assert.deepEqual(Object.values(keyNamesOf(keystone, 'fernet')), [
    'identity-fernet-keys',
    'identity-fernet-keys-rotation',
    'identity-fernet-keys-backup',
    'identity-fernet-rotate',
    'identity-fernet-rotate-script',
  ]);
  assert.equal(databaseFinalizer, 'keystone.openstack.c5c3.io/finalizer');
  assert.equal(openBaoFinalizer, 'keystone.openstack.c5c3.io/openbao-finalizer');
  assert.equal(pushSecretFinalizer, 'pushsecret.externalsecrets.io/finalizer');
  assert.equal(fieldManager, 'forge-operator');
  assert.equal(lastJobAnnotation('db-sync'), 'forge.c5c3.io/last-db-sync-job-uid');
});

test('the endpoint is that of the gateway where there is one; inside the cluster it stays that of the Service', () => {
  const url = 'http://identity.openstack.svc.cluster.local:5000/v3';
  assert.equal(endpointOf(keystoneFixture()), url);
  const exposed = keystoneFixture({ gateway: { parentRef: { name: 'gw' }, hostname: 'id.example' } });
  assert.deepEqual([endpointOf(exposed), internalUrl(exposed)], ['https://id.example/v3', url]);
});
