// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job } from '@forge/kube/kinds/builtin.ts';
import { Database, User } from '@forge/kube/third-party/mariadb.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { Keystone } from '../../keystone.ts';
import { createSyncedCredentials, externalSecretsKinds } from '../../test/external-secrets.ts';
import { home, keystoneOperator, namesIn } from '../../test/keystone-operator.ts';
import { managedFixture } from '../../test/managed-keystone.ts';
import { createMariaDB, mariadbKinds, setReady } from '../../test/mariadb.ts';

test('a ready database of an earlier Keystone is not trusted before garbage collection has deleted it', async () => {
  await using operator = await keystoneOperator(undefined, { kinds: [...externalSecretsKinds, ...mariadbKinds] });
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
