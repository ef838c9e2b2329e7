// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../../api/keystone.ts';
import { externalSecretsKinds } from '../external-secrets.ts';
import { managedDatabase } from '../keystone-fixture.ts';
import { accountNotReady, createManaged, databaseNotReady, provision } from '../managed-keystone.ts';
import { createMariaDB, mariadbKinds, setReady } from '../mariadb.ts';
import { createInstalled, jobOf, untilStart } from '../releases.ts';
import { allReady, createKeystone, home, startKeystoneOperator, namesIn } from '../start-keystone-operator.ts';

const kinds = [...externalSecretsKinds, ...mariadbKinds];
const terminating = ({ kind }: Kind) =>
  `WaitingForDatabase: MariaDB ${kind} identity is being deleted; it is made anew once it is gone`;

/** Databases that mariadb-operator runs, and Jobs on the database. */
export function databaseFlows(observer: CatalogObserver): void {
  test('a managed database is created with its account and privileges, one after the other', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client } = operator.cluster;
    await createManaged(operator);
    await operator.untilCondition('DatabaseReady', 'ClusterNotReady: MariaDB cluster "mariadb" is not ready');
    await createMariaDB(client, 'False');
    await operator.cluster.clock.advance(seconds(30));
    assert.deepEqual(await namesIn(operator, Database), []);
    await setReady(client, MariaDB, 'True', 'mariadb');
    await operator.untilCondition('DatabaseReady', databaseNotReady);
    assert.deepEqual([await namesIn(operator, User), await namesIn(operator, Job)], [[], []]);
    await provision(operator);
    await operator.untilCondition('Ready', allReady);

    await setReady(client, MariaDB, 'False', 'mariadb');
    await operator.untilCondition('DatabaseReady', 'ClusterNotReady: MariaDB cluster "mariadb" is not ready');
    const jobs = await client.list(Job, { namespace: home.namespace });
    await setReady(client, MariaDB, 'True', 'mariadb');
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual((await client.list(Job, { namespace: home.namespace })).items, jobs.items);
  });

  test('a new password of a managed database changes the User, and the Jobs run again', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client } = operator.cluster;
    await createMariaDB(client);
    await createManaged(operator);
    await provision(operator);
    await operator.untilCondition('Ready', allReady);
    const before = [
      (await client.get(User, home)).metadata.annotations,
      (await jobOf(operator, 'db-sync'))?.metadata.uid,
    ];
    const data = { password: Buffer.from('new').toString('base64') };
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data });
    await operator.cluster.clock.until(async () => (await jobOf(operator, 'db-sync'))?.metadata.uid !== before[1]);
    assert.notDeepEqual((await client.get(User, home)).metadata.annotations, before[0]);
    await operator.untilCondition('Ready', allReady);
  });

  test('a managed database is neither renamed nor moved, and what served goes on once spec is set back', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client, clock } = operator.cluster;
    await createMariaDB(client);
    await createManaged(operator);
    await provision(operator);
    await operator.untilCondition('Ready', allReady);
    const jobs = await namesIn(operator, Job);
    const deployment = await operator.deployment();
    for (const [change, text] of [
      [{ database: 'other' }, 'spec.database.database cannot change from "keystone" to "other"'],
      [{ clusterRef: { name: 'other' } }, 'spec.database.clusterRef.name cannot change from "mariadb" to "other"'],
    ] as const) {
      await client.patch(Keystone, home, 'merge', { spec: { database: change } });
      await operator.untilCondition(
        'DatabaseReady',
        `DatabaseImmutable: ${text}: mariadb-operator does not move databases; set it back`,
      );
      await clock.advance(minutes(2));
      assert.deepEqual(await namesIn(operator, Job), jobs);
      assert.deepEqual((await operator.deployment()).spec, deployment.spec);
      await client.patch(Keystone, home, 'merge', { spec: { database: managedDatabase } });
      await operator.untilCondition('Ready', allReady);
    }
  });

  test('a MariaDB that is being deleted is not ready, whatever it says', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client } = operator.cluster;
    await createMariaDB(client);
    await createManaged(operator);
    await provision(operator);
    await operator.untilCondition('Ready', allReady);
    const cluster = { ...home, name: 'mariadb' };
    await client.patch(MariaDB, cluster, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    await client.delete(MariaDB, cluster);
    await operator.untilCondition('DatabaseReady', 'ClusterNotReady: MariaDB cluster "mariadb" is not ready');
  });

  test('a database that is being deleted, or that an earlier Keystone left, is not trusted', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client, clock } = operator.cluster;
    await createMariaDB(client);
    const metadata = { ...home, finalizers: ['database.k8s.mariadb.com/finalizer'] };
    const owner = {
      apiVersion: Keystone.apiVersion,
      kind: 'Keystone',
      name: home.name,
      uid: '11111111-2222-3333-4444-555555555555',
      controller: true,
    };
    const { apiVersion, kind } = Database;
    const spec = { mariaDbRef: { name: 'mariadb' } };
    await client.create(Database, { apiVersion, kind, metadata: { ...metadata, ownerReferences: [owner] }, spec });
    await setReady(client, Database);
    await createManaged(operator);
    await operator.untilCondition('DatabaseReady', terminating(Database));
    await clock.advance(minutes(2));
    assert.equal(await operator.condition('DatabaseReady'), terminating(Database));
    assert.deepEqual([await namesIn(operator, User), await namesIn(operator, Job)], [[], []]);

    const first = (await client.get(Database, home)).metadata.uid;
    await client.patch(Database, home, 'merge', { metadata: { finalizers: null } });
    await clock.until(async () => {
      const uid = (await client.find(Database, home))?.metadata.uid;
      return uid !== undefined && uid !== first;
    });
    await client.patch(Database, home, 'merge', { metadata: { finalizers: ['database.k8s.mariadb.com/finalizer'] } });
    await setReady(client, Database);
    await operator.untilCondition('DatabaseReady', accountNotReady);
    await client.delete(Database, home);
    await operator.untilCondition('DatabaseReady', terminating(Database));
  });

  test('an account that is being deleted is named, and made anew', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client } = operator.cluster;
    await createMariaDB(client);
    await createManaged(operator);
    await provision(operator);
    await operator.untilCondition('Ready', allReady);
    for (const kind of [User, Grant]) {
      await client.patch(kind, home, 'merge', { metadata: { finalizers: ['user.k8s.mariadb.com/finalizer'] } });
      await client.delete(kind, home);
      await operator.untilCondition('DatabaseReady', terminating(kind));
      await client.patch(kind, home, 'merge', { metadata: { finalizers: null } });
      await operator.untilCondition('DatabaseReady', accountNotReady);
      await setReady(client, kind);
      await operator.untilCondition('Ready', allReady);
    }
  });

  test('a Job on the database that fails is run again after five minutes', async () => {
    let broken = true;
    await using operator = await startKeystoneOperator(
      (component) => (component === 'db-sync' && broken ? { exit: { code: 1, after: seconds(1) } } : {}),
      { observer },
    );
    await createKeystone(operator);
    await untilStart(operator, 'DatabaseReady', 'DBSyncFailed');
    broken = false;
    await operator.untilCondition('Ready', allReady);
  });

  test('an image that cannot be pulled shows, and its correction heals it', async () => {
    await using operator = await startKeystoneOperator(
      (_, { spec }) =>
        spec?.containers[0]?.image?.startsWith('c5c3/keystone:') === true ? { stuck: 'cannot pull' } : {},
      { observer },
    );
    await createKeystone(operator);
    await operator.untilCondition(
      'DatabaseReady',
      'DBSyncInProgress: db_sync job is running: ImagePullBackOff: image "c5c3/keystone:2025.2" cannot be pulled',
    );
    const spec = { image: { repository: 'registry.example/keystone' } };
    await operator.cluster.client.patch(Keystone, home, 'merge', { spec });
    await operator.untilCondition('Ready', allReady);
  });

  test('a typo in the host of the database fails the Job with its text, and its correction heals it', async () => {
    let host = 'db.exmaple';
    await using operator = await startKeystoneOperator(
      (component) =>
        component === 'db-sync' && host === 'db.exmaple'
          ? { exit: { code: 1, after: seconds(30), message: "(2003) Can't connect to MySQL server on 'db.exmaple'" } }
          : {},
      { observer },
    );
    await createKeystone(operator);
    await operator.untilCondition(
      'DatabaseReady',
      'DBSyncFailed: db_sync job failed: job has permanently failed: openstack/identity-db-sync: ' +
        "Error: (2003) Can't connect to MySQL server on 'db.exmaple'",
    );
    host = 'db.example.com';
    await operator.cluster.client.patch(Keystone, home, 'merge', { spec: { database: { host } } });
    await operator.untilCondition('Ready', allReady);
  });

  test('a Job is measured once the Keystone remembers it, and not before', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createInstalled(operator);
    const { annotations = {} } = (await operator.keystone()).metadata;
    for (const suffix of ['db-sync', 'schema-check']) {
      assert.equal(annotations[`forge.c5c3.io/last-${suffix}-job-uid`], (await jobOf(operator, suffix))?.metadata.uid);
    }
    await operator.deny('patch', Keystone);
    await operator.cluster.client.patch(Keystone, home, 'merge', {
      spec: { extraConfig: { token: { expiration: '60' } } },
    });
    await operator.cluster.clock.until(async () => (await operator.events()).includes('DBSyncMetricEmissionDeferred'));
    await operator.untilCondition('Ready', allReady);
  });
}
