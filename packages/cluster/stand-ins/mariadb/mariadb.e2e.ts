// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { logger, terminalLine } from '@forge/runtime/logging/logger.ts';
import { systemRandom as random } from '@forge/runtime/random/random.ts';
import { systemClock as clock } from '@forge/runtime/time/clock.ts';
import { eventually } from '../../node/test/eventually.ts';
import { processCluster, type ProcessCluster } from '../../node/test/process-cluster.ts';
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
  async function execute(password: string, ...statements: string[]): Promise<void> {
    const socket = await cluster.node.dial('db.default.svc.cluster.local', 3306);
    const connection = await mysqlConnection(socket, { user: 'ks', password });
    try {
      for (const statement of statements) await connection.execute(statement);
    } finally {
      connection.close();
    }
  }

  test('gives a client a database, follows its password, and takes both away with their objects', async () => {
    const { client } = cluster;
    const { mariadb, database, user, grant } = objects;
    await client.create(MariaDB, mariadb);
    await client.create(Secret, { ...secret('ks-db', { password: `one'\\"` }) });
    await client.create(Database, database);
    await client.create(User, user);
    await eventually('the MariaDB is ready', () => isReady(MariaDB, mariadb));
    await eventually('the database is there', () => isReady(Database, database));
    await eventually('the user is there', () => isReady(User, user));
    await client.create(Grant, grant);
    await eventually('the grant is there', () => isReady(Grant, grant));
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
});
