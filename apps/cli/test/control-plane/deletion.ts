// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential, Endpoint } from '@forge/kube/third-party/korc.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { namespace } from '../../up/demo.ts';
import { identity, passwordLogin } from '../../up/identity.ts';
import { checkDeletion, checkNamespaceDeletion } from './check-deletion.ts';
import { at, names, paths, second, type ControlPlaneCluster } from './cluster.ts';

const otherFinalizer = 'example.com/hold';

/** Starts a deletion without Keystone, which takes five minutes; returns the test of its end. */
export function testForcedRelease(cluster: () => ControlPlaneCluster): () => void {
  test('is held while its Keystone is down and an object has another finalizer', async () => {
    const { client } = cluster();
    const endpoint = at(second, `${names.controlPlane}-identity-endpoint`);
    const { metadata } = await client.get(Endpoint, endpoint);
    await client.patch(Endpoint, endpoint, 'merge', {
      metadata: { finalizers: [...(metadata.finalizers ?? []), otherFinalizer] },
    });
    // Without its database, Keystone accepts no logins.
    await client.patch(MariaDB, at(second, names.database), 'merge', { spec: { suspend: true } });
    await cluster().scale(StatefulSet, at(second, names.database), 0);
    await eventually('logins fail', async () => (await cluster().login(second)) === 'unavailable');
    await client.delete(ControlPlane, at(second));
    await cluster().untilReason(second, 'KORCReady', 'FinalizingORC');
  });

  return () => {
    test('is released by force after five minutes without Keystone, with one Event, and keeps other finalizers', async () => {
      const { client } = cluster();
      // An operator that was restarted in the meantime waits for a minute first.
      const isReleased = async () => (await client.find(ControlPlane, at(second))) === undefined;
      await eventually('it is released by force', isReleased);
      assert.equal(await cluster().eventsOf(second, 'FinalizingORC'), 1);
      assert.equal(await cluster().eventsOf(second, 'ORCTeardownStalled'), 1);
      const endpoint = at(second, `${names.controlPlane}-identity-endpoint`);
      assert.deepEqual((await client.get(Endpoint, endpoint)).metadata.finalizers, [otherFinalizer]);
      assert.equal(await client.find(ApplicationCredential, at(second, names.credential)), undefined);
      await client.patch(Endpoint, endpoint, 'merge', { metadata: { finalizers: null } });
    });
  };
}

/** Tests a deletion while all components are up. */
export function testDeletion(cluster: () => ControlPlaneCluster): void {
  test('is deleted with its credential revoked, and uses the content of OpenBao when it is created again', async () => {
    const { client, url } = cluster();
    const { spec } = await client.get(ControlPlane, at(namespace));
    const kept = await cluster().contentAt(paths.admin);
    await checkDeletion({ client, cluster: cluster(), namespace }, () => client.delete(ControlPlane, at(namespace)));
    assert.equal(await cluster().eventsOf(namespace, 'FinalizingORC'), 1);
    assert.equal(await cluster().eventsOf(namespace, 'ORCTeardownComplete'), 1);
    assert.notEqual((await cluster().contentAt(paths.credential))['value'], undefined);

    // A retained volume would have data that is encrypted with the old credential keys.
    const volume = at(namespace, `storage-${names.database}-0`);
    await client.delete(PersistentVolumeClaim, volume);
    await eventually(
      'the volume is deleted',
      async () => (await client.find(PersistentVolumeClaim, volume)) === undefined,
    );
    const { apiVersion, kind } = ControlPlane;
    await client.create(ControlPlane, { apiVersion, kind, metadata: at(namespace), spec });
    await cluster().untilReady(namespace);
    assert.deepEqual(await cluster().contentAt(paths.admin), kept);
    assert.notEqual(await identity(url).login(passwordLogin(kept['password'] ?? '')), undefined);
    assert.equal(await cluster().login(namespace), 'accepted');
  });

  test('is deleted with its namespace, its credential revoked or named', async () => {
    await checkNamespaceDeletion(cluster().client, cluster(), namespace);
  });
}
