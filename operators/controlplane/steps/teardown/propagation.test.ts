// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Event, Namespace, PersistentVolumeClaim, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { minutes, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { brownfield, home } from '../../test/control-plane-fixture.ts';
import { at, passwordCloudName, readyControlPlane } from '../../test/credential-steps.ts';
import { stopKeystoneWithItsPods } from '../../test/keystone-pods.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  type ControlPlaneOperator,
} from '../../test/start-control-plane-operator.ts';

const korcKinds: readonly Kind[] = [ApplicationCredential, Service, Endpoint, User, Domain];
const propagations = ['Background', 'Foreground', 'Orphan'] as const;

const isGone = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.find(ControlPlane, home)) === undefined;

const objectsOf = async ({ cluster: { client } }: ControlPlaneOperator, kinds: readonly Kind[]) => {
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: home.namespace })));
  return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
};

const reasons = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.list(Event)).items.map(({ reason }) => reason);

/** Until the ControlPlane is gone; and nobody writes much meanwhile. */
async function untilGone(operator: ControlPlaneOperator, within: Duration): Promise<void> {
  const { client, clock } = operator.cluster;
  const revision = async () => Number((await client.list(Namespace)).resourceVersion);
  const before = await revision();
  operator.writes();
  await clock.until(() => isGone(operator), within);
  const own = operator.writes();
  const most = Math.max(0, ...Object.values(Object.groupBy(own, (write) => write)).map((same = []) => same.length));
  assert.ok(most <= 6, `the same write ${most} times: ${own.join(', ')}`);
  const all = (await revision()) - before;
  assert.ok(all < 250, `${all} writes of all together`);
}

async function readyBrownfield(): Promise<ControlPlaneOperator> {
  const operator = await startControlPlaneOperator();
  await createCredentials(operator);
  await createControlPlane(operator, { infrastructure: brownfield });
  await operator.untilCondition('Ready', allReady);
  return operator;
}

describe('a deletion, whatever its propagation', () => {
  for (const [mode, ready] of [
    ['managed', readyControlPlane],
    ['brownfield', readyBrownfield],
  ] as const) {
    for (const propagation of propagations) {
      test(`${propagation}, ${mode}: gone within 30 s, the credential is revoked, nothing of K-ORC is left`, async () => {
        await using operator = await ready();
        // A real one takes its time for a login, and its pods end as soon as they are deleted.
        operator.keystone.latency = seconds(1);
        await using _ = await stopKeystoneWithItsPods(operator, now);
        const { client, clock } = operator.cluster;
        await client.delete(ControlPlane, home, { propagation });
        await untilGone(operator, seconds(30));
        assert.equal(operator.keystone.state.credentials.size, 0);
        assert.ok(!(await reasons(operator)).includes('CredentialNotRevoked'));
        await clock.advance(minutes(1));
        assert.deepEqual(await objectsOf(operator, korcKinds), []);
        assert.equal(await client.find(Secret, passwordCloudName), undefined);
        const children = await objectsOf(operator, [Keystone, MariaDB]);
        assert.equal(children.length > 0, propagation === 'Orphan', children.join());
        assert.equal((await reasons(operator)).includes('DependentsRetained'), propagation === 'Orphan');
      });
    }
  }
});

test('a deletion that orphaned everything while the operator was away still deletes the objects of K-ORC', async () => {
  await using operator = await readyControlPlane();
  const { client, clock } = operator.cluster;
  await operator.stop();
  await client.delete(ControlPlane, home, { propagation: 'Orphan' });
  await clock.settle();
  const { metadata } = await client.get(ApplicationCredential, at('controlplane-admin-app-credential'));
  assert.deepEqual(metadata.ownerReferences ?? [], []);
  await operator.start();
  await untilGone(operator, seconds(30));
  assert.deepEqual(await objectsOf(operator, korcKinds), []);
  assert.equal((await objectsOf(operator, [Keystone, MariaDB])).length, 2);
});

describe('a deletion that orphans, after somebody deleted the login by password', () => {
  for (const [how, prepare, within] of [
    ['K-ORC holds it until its objects are gone', async () => {}, seconds(30)],
    ['without K-ORC, by force', ({ neighbours: { korc } }: ControlPlaneOperator) => korc.stop(), minutes(6)],
  ] as const) {
    test(`keeps Keystone and its database: ${how}`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      await prepare(operator);
      await client.delete(Secret, passwordCloudName);
      await client.delete(ControlPlane, home, { propagation: 'Orphan' });
      await clock.until(() => isGone(operator), within);
      await clock.advance(minutes(1));
      assert.equal(operator.keystone.state.credentials.size, 0);
      assert.equal(await client.find(Secret, passwordCloudName), undefined);
      const kept = await objectsOf(operator, [Keystone, MariaDB, Memcached]);
      assert.equal(kept.length, 3, kept.join());
      assert.ok((await reasons(operator)).includes('DependentsRetained'));
    });
  }
});

test('a deletion that orphans as a second thought keeps Keystone and its database, also while the last login is under way', async () => {
  await using operator = await readyControlPlane();
  const { client, clock } = operator.cluster;
  operator.keystone.latency = seconds(1);
  await client.delete(ControlPlane, home);
  await clock.until(async () => (await objectsOf(operator, korcKinds)).length === 0, seconds(30));
  await client.delete(ControlPlane, home, { propagation: 'Orphan' });
  await clock.until(() => isGone(operator), seconds(30));
  await clock.advance(minutes(1));
  const kept = await objectsOf(operator, [Keystone, MariaDB, Memcached]);
  assert.equal(kept.length, 3, kept.join());
});

test('a deletion in the foreground that is over before the operator sees it keeps Keystone and its database, and says so', async () => {
  await using operator = await readyControlPlane();
  const { client, clock } = operator.cluster;
  await operator.stop();
  await client.delete(ControlPlane, home, { propagation: 'Foreground' });
  await clock.advance(minutes(1));
  assert.deepEqual(await objectsOf(operator, korcKinds), []);
  await operator.start();
  await untilGone(operator, seconds(30));
  const kept = await objectsOf(operator, [Keystone, MariaDB, Memcached]);
  assert.equal(kept.length, 3);
  const [retained] = (await client.list(Event)).items.filter(({ reason }) => reason === 'DependentsRetained');
  assert.equal(
    retained?.message,
    `Kept ${kept.join(', ')}: the deletion left them without an owner; delete them if they are to go`,
  );
});

const unrevoked = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.list(Event)).items
    .filter(({ reason }) => reason === 'CredentialNotRevoked')
    .map(({ message, involvedObject }) => `${involvedObject.kind} ${involvedObject.name}: ${message}`);

const notRevoked = (id: string) =>
  `Keystone did not answer: application credential ${id} is not revoked; on a Keystone with the same database it works until somebody deletes it`;

const maybeNotRevoked = (id: string) =>
  `No password is left to ask Keystone with: application credential ${id} may not be revoked; on a Keystone with the same database it works until somebody deletes it`;

/** Deletes every copy of the admin password, and K-ORC's finalizers on it. */
async function deletePasswords({ cluster: { client } }: ControlPlaneOperator): Promise<void> {
  await client.patch(Secret, passwordCloudName, 'merge', { metadata: { finalizers: [] } });
  for (const name of [at('keystone-admin'), passwordCloudName]) await client.delete(Secret, name);
}

const isNamespaceGone = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.find(Namespace, { name: home.namespace })) === undefined;

const claims = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.list(PersistentVolumeClaim, { namespace: home.namespace })).items;

describe('the deletion of a namespace', () => {
  for (const [speed, after] of [
    ['while Keystone still answers', seconds(2)],
    ['after Keystone is gone', now],
  ] as const) {
    test(`${speed}: everything is gone within 30 s, the credential revoked or named`, async () => {
      await using operator = await readyControlPlane();
      await using _ = await stopKeystoneWithItsPods(operator, after);
      const { client, clock } = operator.cluster;
      if (after === now) operator.keystone.health = 'down';
      const id = (await operator.controlPlane()).status?.adminApplicationCredential?.id ?? '';
      await client.delete(Namespace, { name: home.namespace });
      await untilGone(operator, seconds(30));
      await clock.until(() => isNamespaceGone(operator), seconds(30));
      const isRevoked = operator.keystone.state.credentials.size === 0;
      assert.equal(isRevoked, after !== now);
      assert.deepEqual(await unrevoked(operator), isRevoked ? [] : [`Namespace openstack: ${notRevoked(id)}`]);
    });
  }

  test('without K-ORC ends as soon', async () => {
    await using operator = await readyControlPlane();
    await using _ = await stopKeystoneWithItsPods(operator, seconds(2));
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await client.delete(Namespace, { name: home.namespace });
    await clock.until(() => isNamespaceGone(operator), seconds(30));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });
});

describe('the deletion of everything at once', () => {
  const password = at('keystone-admin');

  for (const propagation of propagations) {
    test(`revokes the credential by the operator's own copy of the password: ${propagation}`, async () => {
      await using operator = await readyBrownfield();
      const { client } = operator.cluster;
      for (const name of [password.name, 'keystone-db']) await client.delete(Secret, at(name), { propagation });
      await client.delete(ControlPlane, home, { propagation });
      await untilGone(operator, seconds(30));
      assert.equal(operator.keystone.state.credentials.size, 0);
    });
  }

  test('revokes it by that copy when Keystone does not take the password in the Secret', async () => {
    await using operator = await readyBrownfield();
    const { client, clock } = operator.cluster;
    await client.patch(Secret, password, 'merge', { stringData: { password: 'mistyped' } });
    await clock.advance(minutes(1));
    await client.delete(ControlPlane, home);
    await untilGone(operator, seconds(30));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('revokes it without K-ORC, too', async () => {
    await using operator = await readyBrownfield();
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await client.delete(Secret, password);
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(6));
    assert.equal(await isGone(operator), true);
    assert.equal(operator.keystone.state.credentials.size, 0);
  });
});

describe('a deletion with its database', () => {
  const database = at('openstack-db');

  for (const order of ['before', 'after'] as const) {
    for (const propagation of ['Background', 'Foreground'] as const) {
      test(`that is deleted ${order} it, with its claims, waits for nobody: ${propagation}`, async () => {
        await using operator = await readyControlPlane();
        await using _ = await stopKeystoneWithItsPods(operator, now);
        const { client } = operator.cluster;
        const deleteDatabase = async () => {
          await client.delete(MariaDB, database, { propagation });
          for (const { metadata } of await claims(operator))
            await client.delete(PersistentVolumeClaim, at(metadata.name));
        };
        await operator.stop();
        if (order === 'before') await deleteDatabase();
        await client.delete(ControlPlane, home, { propagation });
        if (order === 'after') await deleteDatabase();
        await operator.start();
        await untilGone(operator, seconds(30));
        const isRevoked = operator.keystone.state.credentials.size === 0;
        assert.equal((await unrevoked(operator)).length, isRevoked ? 0 : 1);
      });
    }
  }
});

describe('a deletion in the background, of a Keystone that does not answer', () => {
  const cases: readonly (readonly [what: string, kind: Kind, name: string, within: Duration])[] = [
    ['and is gone, waits for nothing', Keystone, 'controlplane-keystone', seconds(5)],
    ['and whose database is being deleted, does not wait for K-ORC', MariaDB, 'openstack-db', seconds(30)],
  ];
  for (const [what, kind, name, within] of cases) {
    test(what, async () => {
      await using operator = await readyControlPlane();
      const { client } = operator.cluster;
      const id = (await operator.controlPlane()).status?.adminApplicationCredential?.id ?? '';
      await operator.stop();
      operator.keystone.health = 'down';
      const finalizers = kind === MariaDB ? ['example.com/hold'] : null;
      await client.patch(kind, at(name), 'merge', { metadata: { finalizers } });
      await client.delete(kind, at(name));
      await client.delete(ControlPlane, home);
      await operator.start();
      await untilGone(operator, within);
      assert.deepEqual(await unrevoked(operator), [`ControlPlane controlplane: ${notRevoked(id)}`]);
    });
  }
});

test('a deletion in the background, after every copy of the password and all of K-ORC is gone, names the credential', async () => {
  await using operator = await readyBrownfield();
  const { client } = operator.cluster;
  const id = (await operator.controlPlane()).status?.adminApplicationCredential?.id ?? '';
  await operator.stop();
  await operator.neighbours.korc.stop();
  for (const kind of korcKinds) {
    for (const { metadata } of (await client.list(kind, { namespace: home.namespace })).items) {
      await client.patch(kind, at(metadata.name), 'merge', { metadata: { finalizers: null } });
      await client.delete(kind, at(metadata.name));
    }
  }
  await deletePasswords(operator);
  await client.delete(ControlPlane, home);
  await operator.start();
  await untilGone(operator, seconds(30));
  assert.deepEqual(await unrevoked(operator), [`ControlPlane controlplane: ${maybeNotRevoked(id)}`]);
});

describe('a deletion in the foreground', () => {
  test('after Keystone went silent ends within 30 s, and names the credential', async () => {
    await using operator = await readyBrownfield();
    const { client } = operator.cluster;
    const id = (await operator.controlPlane()).status?.adminApplicationCredential?.id ?? '';
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    await untilGone(operator, seconds(30));
    assert.deepEqual(await unrevoked(operator), [`ControlPlane controlplane: ${notRevoked(id)}`]);
  });

  test('after every copy of the password is gone ends within 30 s, and names the credential', async () => {
    await using operator = await readyBrownfield();
    const { client } = operator.cluster;
    const id = (await operator.controlPlane()).status?.adminApplicationCredential?.id ?? '';
    await operator.stop();
    await operator.neighbours.korc.stop();
    await deletePasswords(operator);
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    await operator.start();
    await untilGone(operator, seconds(30));
    assert.deepEqual(await unrevoked(operator), [`ControlPlane controlplane: ${maybeNotRevoked(id)}`]);
  });

  test('waits a moment for a Keystone that is silent only for a moment', async () => {
    await using operator = await readyBrownfield();
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'down';
    // Somebody holds it: its pods come back.
    await client.patch(Keystone, at('controlplane-keystone'), 'merge', {
      metadata: { finalizers: ['example.com/hold'] },
    });
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    await clock.advance(seconds(9));
    operator.keystone.health = 'up';
    await clock.until(async () => {
      const { finalizers = [] } = (await client.find(ControlPlane, home))?.metadata ?? {};
      return !finalizers.includes('c5c3.io/orc-teardown');
    }, seconds(30));
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual(await unrevoked(operator), []);
  });

  test('waits for a credential that K-ORC is creating: it would come into being after the revocation', async () => {
    await using operator = await startControlPlaneOperator();
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    await operator.neighbours.korc.stop();
    await createControlPlane(operator, { infrastructure: brownfield });
    const name = at('controlplane-admin-app-credential');
    await clock.until(async () => (await client.find(ApplicationCredential, name)) !== undefined, minutes(5));
    // As K-ORC does before it creates anything.
    const finalizers = ['openstack.k-orc.cloud/applicationcredential'];
    await client.patch(ApplicationCredential, name, 'merge', { metadata: { finalizers } });
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    await clock.advance(seconds(20));
    assert.deepEqual(
      (await client.find(ApplicationCredential, name))?.metadata.finalizers?.includes(finalizers[0] ?? ''),
      true,
    );
    await operator.neighbours.korc.start();
    await clock.until(() => isGone(operator), seconds(60));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('takes Keystone and its database along, also when the garbage collector was done long before', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'down';
    await operator.neighbours.korc.stop();
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    await clock.settle();
    // As K-ORC does when it considers everything gone.
    for (const kind of korcKinds) {
      for (const { metadata } of (await client.list(kind, { namespace: home.namespace })).items)
        await client.patch(kind, at(metadata.name), 'merge', { metadata: { finalizers: null } });
    }
    await client.patch(Secret, at('k-orc-clouds-yaml'), 'merge', { metadata: { finalizers: null } });
    await clock.advance(seconds(1));
    const { metadata } = await operator.controlPlane();
    assert.deepEqual(metadata.finalizers, ['c5c3.io/orc-teardown']);
    operator.keystone.health = 'up';
    await untilGone(operator, seconds(30));
    await operator.neighbours.korc.start();
    await clock.advance(minutes(1));
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual(await objectsOf(operator, [Keystone, MariaDB, Memcached]), []);
  });

  test('holds Keystone by the login that there is, also after somebody deleted it', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await client.patch(Secret, passwordCloudName, 'merge', { metadata: { finalizers: null } });
    await client.delete(Secret, passwordCloudName);
    await clock.advance(minutes(1));
    const { uid } = (await client.get(Secret, passwordCloudName)).metadata;
    const { ownerReferences = [] } = (await client.get(Keystone, at('controlplane-keystone'))).metadata;
    assert.deepEqual(
      ownerReferences.map(({ kind }) => kind),
      ['ControlPlane', 'Secret'],
    );
    assert.equal(ownerReferences[1]?.uid, uid);
  });

  test('creates nothing', async () => {
    await using operator = await readyBrownfield();
    const { client } = operator.cluster;
    await operator.stop();
    await client.patch(Secret, passwordCloudName, 'merge', { metadata: { finalizers: [] } });
    await client.delete(Secret, passwordCloudName);
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    operator.writes();
    await operator.start();
    await operator.cluster.clock.until(() => isGone(operator), seconds(30));
    const created = operator.writes().filter((write) => /^POST (?!events)|^PATCH secrets\/controlplane/.test(write));
    assert.deepEqual(created, []);
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  for (const [first, second] of [
    ['Background', 'Foreground'],
    ['Foreground', 'Background'],
    ['Foreground', 'Orphan'],
    ['Orphan', 'Foreground'],
  ] as const) {
    test(`may be the second thought: ${first}, then ${second}`, async () => {
      await using operator = await readyControlPlane();
      const { client } = operator.cluster;
      await operator.stop();
      await client.delete(ControlPlane, home, { propagation: first });
      await client.delete(ControlPlane, home, { propagation: second });
      await operator.start();
      await untilGone(operator, seconds(30));
      assert.equal(operator.keystone.state.credentials.size, 0);
    });
  }
});

describe('a deletion at any moment', () => {
  for (const propagation of propagations) {
    for (const moment of [0, 1, 5, 12, 20, 27]) {
      test(`of a ControlPlane that is being created, after ${moment} writes: ${propagation}`, async () => {
        let left = moment;
        let deletion: Promise<unknown> | undefined;
        await using operator = await startControlPlaneOperator({
          before: async ({ method }) => {
            if (method === 'GET' || left-- !== 0) return;
            deletion = operator.cluster.client.delete(ControlPlane, home, { propagation });
            await deletion;
          },
        });
        await createControlPlane(operator);
        await operator.cluster.clock.until(() => deletion !== undefined, minutes(5));
        await untilGone(operator, seconds(60));
        await operator.cluster.clock.advance(minutes(1));
        assert.equal(operator.keystone.state.credentials.size, 0);
        assert.deepEqual(await objectsOf(operator, korcKinds), []);
      });
    }

    test(`and a successor of the name at once: ${propagation}`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      await client.delete(ControlPlane, home, { propagation });
      await untilGone(operator, seconds(30));
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      await clock.advance(minutes(1));
      assert.equal(operator.keystone.state.credentials.size, 1);
      assert.equal(await operator.condition('Ready'), allReady);
    });
  }
});
