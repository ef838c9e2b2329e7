// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { type Domain, type Service, type User } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { home } from '../test/control-plane-fixture.ts';
import {
  at,
  cloudsYamlName,
  nudge,
  passwordCloudName,
  readyControlPlane as running,
  textIn,
  held,
  credentialId,
  untilAnother,
} from '../test/credential-steps.ts';
import { korcObjects, setKorc } from '../test/script-korc.ts';
import { allReady, startControlPlaneOperator, createControlPlane } from '../test/start-control-plane-operator.ts';

describe('the imports of the administrator', () => {
  for (const { kind, name } of [korcObjects.domain, korcObjects.user]) {
    test(`are created again when K-ORC gave up on the ${kind.kind}, at most every five minutes`, async () => {
      await using operator = await startControlPlaneOperator({
        wanted: ['mariadb', 'memcached', 'externalSecrets', 'keystone'],
      });
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await clock.advance(seconds(5));
      const { uid } = (await client.get<Domain | User>(kind, at(name))).metadata;
      await setKorc(client, { kind, name }, { terminal: 'several' });
      await clock.advance(minutes(4));
      assert.equal((await client.get<Domain | User>(kind, at(name))).metadata.uid, uid);
      await clock.advance(minutes(2));
      assert.notEqual((await client.get<Domain | User>(kind, at(name))).metadata.uid, uid);
    });
  }

  test('stay when K-ORC gave up on one that the credential guards: it would be Terminating for ever', async () => {
    await using operator = await running();
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await setKorc(client, korcObjects.user, { terminal: 'several' });
    await clock.advance(minutes(25));
    const { deletionTimestamp } = (await client.get(korcObjects.user.kind, at(korcObjects.user.name))).metadata;
    assert.equal(deletionTimestamp, undefined);
  });

  test('that are deleted come back: the Domain at once, the User when K-ORC releases it with the next credential', async () => {
    await using operator = await running();
    const { client, clock } = operator.cluster;
    const { domain, user } = korcObjects;
    const stateOf = async ({ kind, name }: { kind: Kind; name: string }) => {
      const { uid, deletionTimestamp } = (await client.get(kind, at(name))).metadata;
      return { uid, isTerminating: deletionTimestamp !== undefined };
    };
    const before = { domain: await stateOf(domain), user: await stateOf(user) };
    await client.delete(domain.kind, at(domain.name));
    await client.delete(user.kind, at(user.name));
    await clock.advance(minutes(1));
    const after = { domain: await stateOf(domain), user: await stateOf(user) };
    assert.notEqual(after.domain.uid, before.domain.uid);
    // The credential, which works, guards its user.
    assert.deepEqual(after.user, { uid: before.user.uid, isTerminating: true });
    assert.equal(await operator.condition('Ready'), allReady);

    const id = await credentialId(operator);
    await nudge(operator);
    await untilAnother(operator, id);
    const next = await stateOf(user);
    assert.notEqual(next.uid, before.user.uid);
    assert.equal(next.isTerminating, false);
    assert.equal(held(operator).length, 1);
  });

  test('follow another name of the cloud, with every other login', async () => {
    await using operator = await running();
    const { client } = operator.cluster;
    const spec = { korc: { adminCredential: { cloudCredentialsRef: { cloudName: 'forge' } } } };
    await client.patch(ControlPlane, home, 'merge', { spec });
    await operator.cluster.clock.advance(seconds(30));
    await operator.untilCondition('Ready', allReady);
    for (const { kind, name } of Object.values(korcObjects)) {
      const { spec: live } = await client.get(kind as typeof Service, at(name));
      assert.equal(live.cloudCredentialsRef.cloudName, 'forge');
    }
    for (const name of [passwordCloudName, cloudsYamlName]) {
      assert.match((await textIn(operator, name.name)) ?? '', /^clouds:\n {2}forge:\n/);
    }
    assert.equal(held(operator).length, 1);
  });
});
