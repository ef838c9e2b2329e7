// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { brownfield, home } from '../control-plane-fixture.ts';
import { paths } from '../neighbours.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  type ControlPlaneOperator,
} from '../start-control-plane-operator.ts';

const korcKinds: readonly Kind[] = [ApplicationCredential, Service, Endpoint, User, Domain];
const credential = { ...home, name: 'controlplane-admin-app-credential' };
const identityService = { ...home, name: 'controlplane-identity-service' };
const otherFinalizer = 'example.com/hold';
/** The password of root outlives the MariaDB, as its volumes do. */
const kept = ['Secret openstack-db-root'];

/** A ControlPlane that is ready, and the operator. */
async function readyOperator(observer: CatalogObserver): Promise<ControlPlaneOperator> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await startControlPlaneOperator({ observer }));
  await createControlPlane(operator);
  await operator.untilCondition('Ready', allReady);
  stack.move();
  return operator;
}

const isGone = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.find(ControlPlane, home)) === undefined;

const namesIn = async ({ cluster: { client } }: ControlPlaneOperator, kinds: readonly Kind[]) => {
  const lists = kinds.map((kind) => client.list(kind, { namespace: home.namespace }));
  return (await Promise.all(lists)).flatMap(({ items }) =>
    items.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
};

/** Reasons of the deletion's Events, with how often each was sent. */
async function teardownEvents({ cluster: { client } }: ControlPlaneOperator): Promise<string[]> {
  const { items } = await client.list(Event, { namespace: home.namespace });
  return items
    .filter(({ reason = '' }) => /ORC/.test(reason))
    .map(({ reason, count }) => `${reason} ${count}`)
    .toSorted();
}

/** The deletion of a ControlPlane. */
export function deletionFlows(observer: CatalogObserver): void {
  test('K-ORC revokes the credential while Keystone still runs, then everything that was created goes', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    assert.equal(operator.keystone.state.credentials.size, 1);
    await client.delete(ControlPlane, home);
    await clock.until(() => isGone(operator), seconds(30));
    await clock.advance(minutes(1));
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual(await teardownEvents(operator), ['FinalizingORC 1', 'ORCTeardownComplete 1']);
    const kinds = [...korcKinds, MariaDB, Memcached, Keystone, ExternalSecret, PushSecret, Secret];
    assert.deepEqual(await namesIn(operator, kinds), kept);
    // What other tools and a successor can use again.
    assert.deepEqual(
      [...operator.keystone.state.resources.services.values()].map(({ type }) => type),
      ['identity'],
    );
    assert.deepEqual(operator.vault.paths().toSorted(), Object.values(paths).toSorted());
  });

  test('while Keystone does not answer the credential stays, and is revoked when it does', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'without database';
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(4));
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^FinalizingORC: waiting for \d K-ORC CR\(s\) to be revoked and deleted before releasing the ControlPlane$/,
    );
    assert.match((await operator.condition('Ready')) ?? '', /^NotAllReady: /);
    assert.equal((await client.get(ApplicationCredential, credential)).metadata.deletionTimestamp, undefined);
    operator.keystone.health = 'up';
    await clock.until(() => isGone(operator), seconds(60));
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual(await teardownEvents(operator), ['FinalizingORC 1', 'ORCTeardownComplete 1']);
  });

  test('after five minutes without Keystone the objects are released by force, once', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'down';
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(5));
    assert.equal(await isGone(operator), false);
    await clock.advance(seconds(30));
    assert.equal(await isGone(operator), true);
    assert.deepEqual(await teardownEvents(operator), ['FinalizingORC 1', 'ORCTeardownStalled 1']);
    await clock.advance(minutes(1));
    assert.deepEqual(await namesIn(operator, [...korcKinds, Secret]), kept);
  });

  test('in the foreground nobody waits for a Keystone that is gone; the credential that is left is named', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'down';
    await operator.neighbours.korc.stop();
    await client.delete(ControlPlane, home, { propagation: 'Foreground' });
    await clock.until(() => isGone(operator), seconds(30));
    assert.deepEqual(await teardownEvents(operator), ['FinalizingORC 1', 'ORCTeardownAbandoned 1']);
    const { items } = await client.list(Event, { namespace: home.namespace });
    assert.ok(items.some(({ reason }) => reason === 'CredentialNotRevoked'));
  });

  test('a credential that nobody has a password to ask for is named', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    await operator.stop();
    await operator.neighbours.externalSecrets.stop();
    for (const name of ['controlplane-keystone-admin-credentials', 'controlplane-admin-password-cloud']) {
      await client.patch(Secret, { ...home, name }, 'merge', { metadata: { finalizers: null } });
      await client.delete(Secret, { ...home, name });
    }
    await client.delete(ControlPlane, home);
    await operator.start();
    await clock.until(() => isGone(operator), minutes(6));
    const { items } = await client.list(Event, { namespace: home.namespace });
    assert.match(items.find(({ reason }) => reason === 'CredentialNotRevoked')?.message ?? '', /^No password is left/);
  });

  test('what a deletion leaves without an owner is kept, and named', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    await client.delete(ControlPlane, home, { propagation: 'Orphan' });
    await clock.until(() => isGone(operator), seconds(30));
    const { items } = await client.list(Event, { namespace: home.namespace });
    assert.ok(items.some(({ reason }) => reason === 'DependentsRetained'));
  });

  test('a credential that K-ORC does not revoke because it is gone is revoked by the operator itself', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(6));
    assert.equal(await isGone(operator), true);
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual(await teardownEvents(operator), ['FinalizingORC 1', 'ORCTeardownStalled 1']);
    await clock.advance(minutes(1));
    assert.deepEqual(await namesIn(operator, [...korcKinds, Secret]), kept);
  });

  test('a forced release keeps the finalizers of others, and names what is left', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    const { metadata } = await client.get(Service, identityService);
    const finalizers = [...(metadata.finalizers ?? []), otherFinalizer];
    await client.patch(Service, identityService, 'merge', { metadata: { finalizers } });
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(6));
    assert.equal(await isGone(operator), true);
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual((await client.get(Service, identityService)).metadata.finalizers, [otherFinalizer]);
    const { items } = await client.list(Event, { namespace: home.namespace });
    assert.equal(
      items.find(({ reason }) => reason === 'ORCTeardownStalled')?.message,
      'K-ORC CRs [controlplane-identity-service] stayed Terminating longer than 5m0s (K-ORC may be unable to reach Keystone to revoke); force-removed their K-ORC finalizers and releasing the ControlPlane',
    );
  });

  test('a deletion that is refused is reported, and ends when it is allowed', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    const allow = await operator.deny('delete', ApplicationCredential);
    await client.delete(ControlPlane, home);
    const refused = /^ApplyRejected: ApplicationCredential controlplane-admin-app-credential was refused: /;
    await clock.until(async () => refused.test((await operator.condition('KORCReady')) ?? ''));
    await clock.advance(minutes(1));
    await allow();
    await clock.until(() => isGone(operator), minutes(2));
    assert.equal(operator.keystone.state.credentials.size, 0);
    assert.deepEqual(await teardownEvents(operator), ['FinalizingORC 1', 'ORCTeardownComplete 1']);
  });

  test('an operator that was away for long gives K-ORC a minute before it forces anything', async () => {
    await using operator = await readyOperator(observer);
    const { client, clock } = operator.cluster;
    operator.keystone.health = 'down';
    await operator.stop();
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(6));
    await operator.start();
    await clock.advance(seconds(55));
    assert.equal(await isGone(operator), false);
    assert.equal((await client.get(ApplicationCredential, credential)).metadata.deletionTimestamp, undefined);
    operator.keystone.health = 'up';
    await clock.until(() => isGone(operator), seconds(60));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('a ControlPlane goes at once where K-ORC is not installed, and keeps the finalizers of others', async () => {
    await using operator = await startControlPlaneOperator({ observer, kinds: [], wanted: [] });
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    await createControlPlane(operator, { infrastructure: brownfield });
    await clock.settle();
    const { finalizers = [] } = (await operator.controlPlane()).metadata;
    await client.patch(ControlPlane, home, 'merge', { metadata: { finalizers: [...finalizers, otherFinalizer] } });
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(11));
    assert.deepEqual((await operator.controlPlane()).metadata.finalizers, [otherFinalizer]);
    assert.deepEqual(await teardownEvents(operator), ['ORCTeardownComplete 1']);
    await client.patch(ControlPlane, home, 'merge', { metadata: { finalizers: [] } });
    assert.equal(await isGone(operator), true);
  });

  test('a ControlPlane that never minted a credential goes at once', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: [] });
    operator.keystone.health = 'down';
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await clock.settle();
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(11));
    assert.equal(await isGone(operator), true);
    assert.deepEqual(await teardownEvents(operator), ['ORCTeardownComplete 1']);
  });
}
