// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { logger, terminalLine } from '@forge/runtime/observability/logger.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { isTrue } from '../../objects/with-condition.ts';
import { startStandIn } from '../start-stand-in.ts';
import { secret } from '../test/secret-objects.ts';
import { mariadbOperator } from './mariadb.ts';
import { mysqlConnection } from './mysql-connection.ts';
import { networkSql } from './network-sql.ts';

const apiVersion = 'k8s.mariadb.com/v1alpha1';
const namespace = 'default';
const ref = { namespace, name: 'ks' };
const server = { namespace, name: 'db' };
const mariaDbRef = { name: 'db' };
const objects = {
  mariadb: {
    apiVersion,
    kind: 'MariaDB',
    metadata: server,
    spec: { storage: { size: '1Gi' } },
  },
  database: { apiVersion, kind: 'Database', metadata: ref, spec: { mariaDbRef, name: 'key_stone' } },
  user: {
    apiVersion,
    kind: 'User',
    metadata: ref,
    spec: { mariaDbRef, passwordSecretKeyRef: { name: 'ks-db', key: 'password' }, maxUserConnections: 100 },
  },
  grant: {
    apiVersion,
    kind: 'Grant',
    metadata: ref,
    spec: { mariaDbRef, privileges: ['ALL PRIVILEGES'], database: 'key_stone', username: 'ks' },
  },
} satisfies { mariadb: MariaDB; database: Database; user: User; grant: Grant };

describe('a MariaDB on the process node', () => {
  let cluster: ProcessCluster;
  let operator: AsyncDisposable;

  before(async () => {
    cluster = await processCluster();
    const { client, node } = cluster;
    const log = logger({ clock, level: 'error', write: (entry) => console.error(terminalLine(entry)) });
    const servers = networkSql({ client, clock, dial: (host, port, signal) => node.dial(host, port, signal) });
    operator = await startStandIn(mariadbOperator(servers), { client, clock, random, log });
  });

  after(async () => {
    await operator[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  async function isReady<T extends KubeObject>(kind: Kind<T>, object: T): Promise<boolean> {
    const { status } = (await cluster.client.get(kind, object.metadata)) as { status?: { conditions?: never[] } };
    return isTrue(status?.conditions, 'Ready');
  }

  /** Executes statements as the user of the Secret. */
  const execute = (password: string, ...statements: string[]) => executeAs('ks', password, ...statements);

  async function executeAs(user: string, password: string, ...statements: string[]): Promise<void> {
    // A Service forwards to a pod a moment after the pod became ready.
    const socket = await eventually('the Service forwards', () =>
      cluster.node.dial('db.default.svc.cluster.local', 3306).catch(() => undefined),
    );
    const connection = await mysqlConnection(socket, { user, password });
    try {
      for (const statement of statements) await connection.execute(statement);
    } finally {
      connection.close();
    }
  }

  test('provides a database and a user, follows changes of the password, and drops both with their objects', async () => {
    const { client } = cluster;
    const { mariadb, database, user, grant } = objects;
    await client.create(MariaDB, mariadb);
    await client.create(Secret, { ...secret('ks-db', { password: `one'\\"` }) });
    await client.create(Database, database);
    await client.create(User, user);
    await eventually('the MariaDB is ready', () => isReady(MariaDB, mariadb));
    await eventually('the database exists', () => isReady(Database, database));
    await eventually('the user exists', () => isReady(User, user));
    await client.create(Grant, grant);
    await eventually('the grant exists', () => isReady(Grant, grant));
    await execute(`one'\\"`, 'USE key_stone', 'CREATE TABLE a (b INT)');
    await assert.rejects(execute('two'), /Error 1045 \(28000\): Access denied/);
    await assert.rejects(execute(`one'\\"`, 'CREATE DATABASE keyXstone'), /Error 1044 \(42000\): Access denied/);

    const data = { password: Buffer.from('two').toString('base64') };
    const labels = { 'k8s.mariadb.com/watch': '' };
    await client.patch(Secret, { namespace, name: 'ks-db' }, 'merge', { metadata: { labels }, data });
    await eventually('the new password works', () =>
      execute('two').then(
        () => true,
        () => false,
      ),
    );

    await client.delete(Grant, ref);
    await client.delete(Database, ref);
    await eventually('the database is gone', async () => (await client.find(Database, ref)) === undefined);
    await assert.rejects(execute('two', 'USE key_stone'), /Access denied|Unknown database/);
    await client.delete(User, ref);
    await eventually('the user is gone', async () => (await client.find(User, ref)) === undefined);
    await assert.rejects(execute('two'), /Access denied/);
  });

  test('that is created again has its data and the same root password; without its claim, only the password', async () => {
    const { client } = cluster;
    const { mariadb, database } = objects;
    const root = { namespace, name: 'db-root' };
    const claim = { namespace, name: 'storage-db-0' };
    const password = Buffer.from((await client.get(Secret, root)).data?.['password'] ?? '', 'base64').toString();
    const recreate = async (...also: [Kind, ObjectRef][]) => {
      await client.delete(MariaDB, server);
      const owned: [Kind, ObjectRef][] = [[StatefulSet, server], [Pod, { namespace, name: 'db-0' }], ...also];
      for (const [kind, each] of also) await client.delete(kind, each);
      for (const [kind, each] of owned) {
        await eventually(
          `${kind.kind} ${each.name} is gone`,
          async () => (await client.find(kind, each)) === undefined,
        );
      }
      await client.create(MariaDB, mariadb);
      await eventually('the MariaDB is ready again', () => isReady(MariaDB, mariadb));
    };
    await client.create(Database, database);
    await eventually('the database exists', () => isReady(Database, database));
    await recreate();
    await executeAs('root', password, 'USE key_stone');
    await recreate([PersistentVolumeClaim, claim]);
    await assert.rejects(executeAs('root', password, 'USE key_stone'), /Unknown database/);
  });

  test('with a new image gets a new pod with its data, also for a newer Debian release', async () => {
    const { client } = cluster;
    const { mariadb } = objects;
    const root = await client.get(Secret, { namespace, name: 'db-root' });
    const asRoot = (...statements: string[]) =>
      executeAs('root', Buffer.from(root.data?.['password'] ?? '', 'base64').toString(), ...statements);
    await asRoot('CREATE DATABASE kept');
    for (const image of ['mariadb:10.11.6', 'mariadb:11.8']) {
      const { uid } = (await client.get(Pod, { namespace, name: 'db-0' })).metadata;
      await client.patch(MariaDB, server, 'merge', { spec: { image } });
      await eventually('another pod runs', async () => {
        const pod = await client.find(Pod, { namespace, name: 'db-0' });
        return pod !== undefined && pod.metadata.uid !== uid && pod.spec?.containers[0]?.image === image;
      });
      await eventually('the MariaDB is ready with it', () => isReady(MariaDB, mariadb));
      assert.equal(isTrue((await client.get(MariaDB, server)).status?.conditions, 'Updated'), true);
      await asRoot('USE kept');
    }
    // A comment for older servers.
    await asRoot('/*!110800 CREATE DATABASE newer */', 'USE newer');
  });

  test('starts on an empty volume with every version in the catalogue', async () => {
    const { client } = cluster;
    for (const [name, image] of Object.entries({ older: 'mariadb:10.11', newer: 'mariadb:11.8' })) {
      const mariadb: MariaDB = {
        ...objects.mariadb,
        metadata: { namespace, name },
        spec: { ...objects.mariadb.spec, image },
      };
      await client.create(MariaDB, mariadb);
      await eventually(`${image} is ready`, () => isReady(MariaDB, mariadb));
    }
  });
});
