// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { Deployment, Job, Pod, ReplicaSet, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { dbConnectionHashAnnotation } from '../api/names.ts';
import { keystoneFixture } from './keystone-fixture.ts';
import {
  allReady,
  createKeystone,
  digestKeyName,
  home,
  startKeystoneOperator,
  type KeystoneOperator,
} from './start-keystone-operator.ts';

/** What in the cluster follows from credentials. */
async function digests({ cluster: { client } }: KeystoneOperator, name = home.name) {
  const { status } = await client.get(Keystone, { ...home, name });
  const { metadata, spec } = await client.get(Deployment, { ...home, name });
  return {
    bootstrap: status?.completedBootstrap,
    connection: spec?.template.metadata?.annotations?.[dbConnectionHashAnnotation],
    generation: metadata.generation ?? 0,
  };
}

describe('digests of credentials', () => {
  test('cannot be computed from the credential alone', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client } = operator.cluster;
    const url = 'mysql+pymysql://keystone:db-secret@db.example:3306/keystone?charset=utf8';
    const guesses = ['db-secret', 'admin-secret', url].map((text) => createHash('sha256').update(text).digest('hex'));
    for (const kind of [Deployment, ReplicaSet, Pod, Job, Keystone] satisfies Kind[] as Kind[]) {
      const text = JSON.stringify((await client.list(kind, {})).items);
      for (const guess of guesses) assert.ok(!text.includes(guess), `${kind.kind} shows a digest without a key`);
    }
  });

  test('are other ones for another Keystone with the same credentials', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    const { client, clock } = operator.cluster;
    const metadata = { ...keystoneFixture().metadata, name: 'other' };
    await client.create(Keystone, { ...keystoneFixture(), metadata });
    await clock.advance(minutes(5));
    const [one, other] = [await digests(operator), await digests(operator, 'other')];
    assert.ok(one.connection !== undefined && one.bootstrap !== undefined);
    assert.notEqual(one.connection, other.connection);
    assert.notEqual(one.bootstrap, other.bootstrap);
  });

  test('keep their key, whatever happens to the credentials', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const before = await client.get(Secret, digestKeyName);
    const data = { password: Buffer.from('new').toString('base64') };
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data });
    await client.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { data });
    await clock.advance(minutes(6));
    assert.deepEqual(await client.get(Secret, digestKeyName), before);
    assert.equal(before.metadata.ownerReferences?.[0]?.name, home.name);
    await assert.rejects(client.patch(Secret, digestKeyName, 'merge', { data }), /immutable/);
  });

  test('get a new key when somebody deletes it, for one rollout and one bootstrap', async () => {
    const bootstraps = new Set<string | undefined>();
    await using operator = await startKeystoneOperator((component, pod) => {
      if (component === 'bootstrap') bootstraps.add(pod.metadata.uid);
      return {};
    });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    await clock.advance(minutes(6));
    const before = await digests(operator);
    assert.equal(bootstraps.size, 1);
    await client.delete(Secret, digestKeyName);
    await clock.advance(minutes(6));
    await operator.untilCondition('Ready', allReady);
    const after = await digests(operator);
    assert.notEqual(after.connection, before.connection);
    assert.notEqual(after.bootstrap, before.bootstrap);
    assert.equal(after.generation, before.generation + 1);
    assert.equal(bootstraps.size, 2);
  });
});
