// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keystone } from '@forge/keystone/api/keystone.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { brownfield, controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { isKeystoneReady, keystoneChild } from './keystone-child.ts';

const { infrastructure } = controlPlaneFixture().spec;
const specOf = (change: Partial<ControlPlane['spec']> = {}, schedule?: string) =>
  keystoneChild(controlPlaneFixture(change), schedule).spec;
const withSettings = (keystone: ControlPlane['spec']['services']['keystone']) => specOf({ services: { keystone } });

describe('the Keystone of a ControlPlane', () => {
  test('has its name, release, database, cache, account and password, and nothing that nobody set', () => {
    assert.deepEqual(keystoneChild(controlPlaneFixture(), undefined), {
      apiVersion: 'keystone.openstack.c5c3.io/v1alpha1',
      kind: 'Keystone',
      metadata: { name: 'controlplane-keystone' },
      spec: {
        image: { repository: 'ghcr.io/c5c3/keystone', tag: '2025.2' },
        database: {
          clusterRef: { name: 'openstack-db' },
          database: 'keystone',
          secretRef: { name: 'controlplane-keystone-db-credentials', key: 'password' },
          replicas: 3,
        },
        cache: { clusterRef: { name: 'openstack-memcached' }, backend: 'dogpile.cache.pymemcache', replicas: 3 },
        bootstrap: {
          adminPasswordSecretRef: { name: 'controlplane-keystone-admin-credentials', key: 'password' },
          region: 'RegionOne',
          publicEndpoint: 'http://controlplane-keystone.openstack.svc:5000/v3',
        },
      },
    });
  });

  test('has the account and the password of the user with a database of the user', () => {
    const { database, cache, bootstrap } = specOf({ infrastructure: brownfield });
    assert.deepEqual([database, cache], [brownfield.database, brownfield.cache]);
    assert.deepEqual(bootstrap.adminPasswordSecretRef, { name: 'keystone-admin', key: 'password' });
  });

  test('has the image, replicas and gateway of the spec as they are; the release then counts for nothing', () => {
    const image = { repository: 'mirror/keystone', tag: '2025.1-p1' };
    const gateway = { parentRef: { name: 'gw' }, hostname: 'keystone.example.com', path: '/' };
    const spec = withSettings({ image, replicas: 5, gateway });
    assert.deepEqual([spec.image, spec.replicas, spec.gateway], [image, 5, gateway]);
  });

  test('has the URL of the catalog: the one that is set, that of the gateway, or the one inside the cluster', () => {
    const gateway = { parentRef: { name: 'gw' }, hostname: 'keystone.example.com' };
    const publicEndpoint = 'https://identity.example.com/v3';
    assert.equal(withSettings({ gateway }).bootstrap.publicEndpoint, 'https://keystone.example.com/v3');
    assert.equal(withSettings({ gateway, publicEndpoint }).bootstrap.publicEndpoint, publicEndpoint);
  });

  test('has one schedule for both kinds of keys', () => {
    const { fernet, credentialKeys } = specOf({}, '0 0 * * 0');
    assert.deepEqual([fernet, credentialKeys], [{ rotationSchedule: '0 0 * * 0' }, { rotationSchedule: '0 0 * * 0' }]);
  });

  test('has the merged policy', () => {
    const spec = specOf({
      global: { rules: { a: 'all', b: 'all' } },
      services: { keystone: { policyOverrides: { rules: { b: 'own' } } } },
    });
    assert.deepEqual(spec.policyOverrides, { rules: { a: 'all', b: 'own' } });
  });

  test('has the default names where the webhook is off and they are empty', () => {
    const { database, cache, bootstrap } = specOf({
      region: '',
      infrastructure: {
        database: { ...infrastructure.database, clusterRef: { name: '' } },
        cache: { ...infrastructure.cache, clusterRef: { name: '' } },
      },
    });
    assert.deepEqual(
      [database.clusterRef?.name, cache.clusterRef?.name, bootstrap.region],
      ['openstack-db', 'openstack-memcached', 'RegionOne'],
    );
  });

  test('leaves the ControlPlane as it is', () => {
    const controlPlane = controlPlaneFixture();
    const before = structuredClone(controlPlane);
    keystoneChild(controlPlane, undefined);
    assert.deepEqual(controlPlane, before);
  });
});

/** A Keystone of generation 2 with such a status. */
const observed = (status: 'True' | 'False', all: number, ready: number | undefined): Keystone => {
  const text = { reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const condition = { type: 'Ready', status, ...text, ...(ready !== undefined && { observedGeneration: ready }) };
  const { metadata, ...rest } = keystoneChild(controlPlaneFixture(), undefined);
  return {
    ...rest,
    metadata: { ...metadata, generation: 2 },
    status: { observedGeneration: all, conditions: [condition] },
  };
};

describe('a Keystone is ready', () => {
  test('when it is now, not when an earlier spec was', () => {
    assert.equal(isKeystoneReady(observed('True', 2, 2)), true);
    assert.equal(isKeystoneReady(observed('True', 2, undefined)), true);
    assert.equal(isKeystoneReady(observed('True', 1, 1)), false);
    assert.equal(isKeystoneReady(observed('True', 2, 1)), false);
    assert.equal(isKeystoneReady(observed('False', 2, 2)), false);
    const { status, ...unseen } = observed('True', 2, 2);
    assert.equal(isKeystoneReady(unseen), false);
    const { observedGeneration: _, ...unnumbered } = status ?? {};
    assert.equal(isKeystoneReady({ ...unseen, status: unnumbered }), false);
  });
});
