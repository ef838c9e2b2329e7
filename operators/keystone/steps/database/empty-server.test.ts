// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeSql } from '@forge/cluster/stand-ins/mariadb/fake-sql.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { minutes, now, seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { externalSecretsKinds } from '../../test/external-secrets.ts';
import { createManaged } from '../../test/managed-keystone.ts';
import { mariadbKinds } from '../../test/mariadb.ts';
import { untilStart } from '../../test/releases.ts';
import { allReady, home, startKeystoneOperator, type KeystoneOperator } from '../../test/start-keystone-operator.ts';

const ref = { ...home, name: 'mariadb' };

test('an empty server under a MariaDB that was created again gets database, account and privileges before db_sync runs', async () => {
  const sql = fakeSql();
  const server = sql.server(ref);
  const isProvided = () =>
    server.databases.has('keystone') && server.users.has('identity@%') && server.grants.has('identity@%');
  await using operator = await startKeystoneOperator(
    (component) => (component === 'db-sync' ? { exit: { code: isProvided() ? 0 : 1, after: seconds(2) } } : {}),
    { kinds: [...externalSecretsKinds, ...mariadbKinds] },
  );
  await using _ = await played(operator, mariadbOperator(sql.reachedBy(operator.cluster.clock)));
  const { client, clock } = operator.cluster;
  await createServer(operator);
  await createManaged(operator);
  await operator.untilCondition('Ready', allReady);

  await client.delete(MariaDB, ref);
  await untilStart(operator, 'DatabaseReady', 'ClusterNotReady');
  for (const held of [server.databases, server.users, server.grants]) held.clear();
  await createServer(operator);
  await clock.advance(minutes(1));
  assert.ok(isProvided());
  assert.equal(await operator.condition('Ready'), allReady);
  assert.ok(!(await operator.events()).includes('DBSyncFailed'));

  const versions = async () => {
    const objects = [await client.get(Database, home), await client.get(User, home), await client.get(Grant, home)];
    return objects.map(({ metadata }) => metadata.resourceVersion);
  };
  const settled = await versions();
  await clock.advance(minutes(60));
  assert.deepEqual(await versions(), settled);
});

async function createServer({ cluster: { client } }: KeystoneOperator): Promise<void> {
  const { apiVersion, kind } = MariaDB;
  await client.create(MariaDB, { apiVersion, kind, metadata: ref, spec: { storage: { size: '1Gi' } } });
}

/** Runs the stand-in of mariadb-operator. */
async function played(
  { cluster: { client, clock } }: KeystoneOperator,
  { controllers, backoff }: ReturnType<typeof mariadbOperator>,
): Promise<AsyncDisposable> {
  const log = logger({ clock, write: () => {} });
  const running = manager({ client, clock, random: seededRandom(), log, resync: now, backoff });
  for (const controller of controllers) running.add(controller);
  await running.start();
  return {
    async [Symbol.asyncDispose]() {
      const ended = running.stop();
      await clock.advance(seconds(20));
      await ended;
    },
  };
}
