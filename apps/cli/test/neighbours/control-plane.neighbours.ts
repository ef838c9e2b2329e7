// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { canBuildBinaries } from '@forge/apiserver/conformance/reference/binaries.ts';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { credentialPaths } from '../../openbao/seed.ts';
import { controlPlaneDemo as demo } from '../../up/control-plane-demo.ts';
import { credentialLogin, identity, passwordLogin } from '../../up/identity.ts';
import { checkDeletion, checkNamespaceDeletion } from '../control-plane/check-deletion.ts';
import { at, names, paths } from '../control-plane/cluster.ts';
import { remainsOf } from '../kubernetes/control-plane-remains.ts';
import { neighbours, neighboursCluster, type NeighboursCluster } from './neighbours-cluster.ts';

const { namespace } = demo;
const database = credentialPaths(demo).database;
const skip = (await canBuildBinaries()) ? false : 'needs Go, to build the neighbours';

const name = 'a ControlPlane with real neighbours';
// A skipped suite reports no skipped test.
if (skip !== false) test(name, { skip });

describe(name, { skip, timeout: 2_400_000 }, () => {
  let cluster: NeighboursCluster;
  let generation = 0;

  before(async () => {
    cluster = await neighboursCluster((text) => void process.stderr.write(text));
  });

  after(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  /** A password that was never used before. */
  const another = () => `password-${(generation += 1)}-of-a-test`;

  /** Changes the database password in OpenBao; the current pods of Keystone have the old one. */
  async function changeDatabasePassword(): Promise<{ isApplied: () => Promise<boolean> }> {
    const { username = '' } = await cluster.contentAt(database);
    const pods = await keystonePods();
    await cluster.change(database, { username, password: another() }, demo.databaseSecret);
    return {
      isApplied: async () => {
        const now = await keystonePods();
        return now.length > 0 && now.every((uid) => !pods.includes(uid));
      },
    };
  }

  async function keystonePods(): Promise<(string | undefined)[]> {
    const labelSelector = `app.kubernetes.io/name=keystone,app.kubernetes.io/instance=${names.keystone}`;
    const { items } = await cluster.client.list(Pod, { namespace, labelSelector });
    return items.filter(({ status }) => status?.phase === 'Running').map(({ metadata }) => metadata.uid);
  }

  test('is created, and its clouds.yaml is accepted', async () => {
    assert.deepEqual([...cluster.without].toSorted(), ['external-secrets', 'korc', 'mariadb-operator']);
    await cluster.untilReady(namespace);
    assert.equal(await cluster.login(namespace), 'accepted');
    assert.equal((await cluster.credentials(namespace)).length, 1);
  });

  test('replaces its credential, and revokes the old one', async () => {
    const former = (await cluster.mirrored(namespace)) ?? assert.fail();
    await cluster.rotate(namespace);
    await cluster.untilRenewed(namespace, former.id);
    assert.equal(await identity(cluster.url).login(credentialLogin(former)), undefined);
    assert.equal((await cluster.credentials(namespace)).length, 1);
  });

  test('applies a new admin password from OpenBao to Keystone and creates a new credential', async () => {
    const former = await cluster.mirrored(namespace);
    const { password: old = '' } = await cluster.contentAt(paths.admin);
    const password = another();
    await cluster.change(paths.admin, { password }, names.adminPassword);
    await cluster.untilRenewed(namespace, former?.id);
    assert.equal(await identity(cluster.url).login(passwordLogin(old)), undefined);
    assert.notEqual(await identity(cluster.url).login(passwordLogin(password)), undefined);
  });

  test('applies a new database password from OpenBao to the account and to Keystone', async () => {
    const { isApplied } = await changeDatabasePassword();
    await eventually('Keystone runs with the new password', isApplied);
    await cluster.untilReady(namespace);
    assert.equal(await cluster.login(namespace), 'accepted');
  });

  test('renews its credential when K-ORC is down in the middle of it', async () => {
    const former = await cluster.mirrored(namespace);
    await cluster.scaleNeighbour(neighbours.korc, 0);
    await cluster.rotate(namespace);
    await cluster.untilReason(namespace, 'KORCReady', 'ReMinting');
    await cluster.scaleNeighbour(neighbours.korc, 1);
    await cluster.untilRenewed(namespace, former?.id);
  });

  test('renews its credential when External Secrets is down in the middle of it', async () => {
    const former = await cluster.mirrored(namespace);
    await cluster.scaleNeighbour(neighbours.externalSecrets, 0);
    await cluster.rotate(namespace);
    await cluster.untilReason(namespace, 'AdminCredentialReady', 'WaitingForCloudsYamlSync', 'WaitingForPushSecret');
    await cluster.scaleNeighbour(neighbours.externalSecrets, 1);
    await cluster.untilRenewed(namespace, former?.id);
  });

  test('keeps its Keystone while mariadb-operator is down, and later applies a database password that was changed in between', async () => {
    await cluster.scaleNeighbour(neighbours.mariadbOperator, 0);
    const { isApplied } = await changeDatabasePassword();
    const isWaiting = async () => {
      const { status } = await cluster.client.get(Keystone, at(namespace, names.keystone));
      return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'False');
    };
    await eventually('the Keystone waits for the account', isWaiting);
    assert.equal(await cluster.login(namespace), 'accepted');
    await cluster.scaleNeighbour(neighbours.mariadbOperator, 1);
    await eventually('Keystone runs with the new password', isApplied);
    await cluster.untilReady(namespace);
    assert.equal(await cluster.login(namespace), 'accepted');
  });

  for (const propagation of ['Background', 'Foreground', 'Orphan'] as const) {
    test(`is deleted with propagation ${propagation}, its credential revoked, and created again`, async () => {
      const { client } = cluster;
      const { spec } = await client.get(ControlPlane, at(namespace));
      await checkDeletion({ client, cluster, namespace }, () =>
        client.delete(ControlPlane, at(namespace), { propagation }),
      );
      if (propagation !== 'Orphan') {
        const remains = () => remainsOf(client, namespace);
        await eventually('nothing is left', async () => (await remains()).length === 0, { observed: remains });
        // The old data is encrypted with other credential keys.
        const volume = at(namespace, `storage-${names.database}-0`);
        await client.delete(PersistentVolumeClaim, volume);
        await eventually(
          'the volume is deleted',
          async () => (await client.find(PersistentVolumeClaim, volume)) === undefined,
        );
      }
      const { apiVersion, kind } = ControlPlane;
      await client.create(ControlPlane, { apiVersion, kind, metadata: at(namespace), spec });
      await cluster.untilReady(namespace);
      assert.equal(await cluster.login(namespace), 'accepted');
    });
  }

  test('is deleted with its namespace, its credential revoked or named', async () => {
    await checkNamespaceDeletion(cluster.client, cluster, namespace);
  });
});
