// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job } from '@forge/kube/kinds/builtin.ts';
import { Database, User } from '@forge/kube/third-party/mariadb.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../../api/keystone.ts';
import { createSyncedCredentials, externalSecretsKinds } from '../../test/external-secrets.ts';
import { managedFixture } from '../../test/managed-keystone.ts';
import { createMariaDB, mariadbKinds, setReady } from '../../test/mariadb.ts';
import { home, startKeystoneOperator, namesIn } from '../../test/start-keystone-operator.ts';

test('a ready database of an earlier Keystone is not trusted before garbage collection has deleted it', async () => {
  await using operator = await startKeystoneOperator(undefined, { kinds: [...externalSecretsKinds, ...mariadbKinds] });
  const { client, clock } = operator.cluster;
  await createMariaDB(client);
  // The garbage collector leaves owners alone whose version is not served.
  const apiVersion = `${Keystone.group}/v1alpha0`;
  const owner = { apiVersion, kind: 'Keystone', name: home.name, uid: 'gone', controller: true };
  await client.create(Database, {
    apiVersion: Database.apiVersion,
    kind: Database.kind,
    metadata: { ...home, ownerReferences: [owner] },
    spec: { mariaDbRef: { name: 'mariadb' }, name: 'keystone' },
  });
  await setReady(client, Database);
  await createSyncedCredentials(operator);
  await client.create(Keystone, managedFixture());
  await operator.untilCondition('DatabaseReady', 'WaitingForDatabase: MariaDB Database CR is not ready');
  await clock.advance(minutes(2));
  assert.equal((await client.get(Database, home)).metadata.deletionTimestamp, undefined);
  assert.deepEqual([await namesIn(operator, User), await namesIn(operator, Job)], [[], []]);
});
