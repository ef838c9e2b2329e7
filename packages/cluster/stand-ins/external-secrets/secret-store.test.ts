// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { pushSecret, secret, store } from '../test/secret-objects.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { externalSecrets } from './external-secrets.ts';
import { fakeVault, type FakeVault } from './fake-vault.ts';

const ref = { name: store.metadata.name };

describe('a ClusterSecretStore', () => {
  let vault: FakeVault;
  let cluster: StandInCluster;

  beforeEach(async () => {
    vault = fakeVault();
    cluster = await standInCluster((clock) => externalSecrets(vault.reachedBy(clock)));
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const create = async (spec: Partial<ClusterSecretStore['spec']> = {}) => {
    await cluster.client.create(ClusterSecretStore, { ...store, spec: { ...store.spec, ...spec } });
    await cluster.clock.settle();
  };
  const ready = () => cluster.ready(ClusterSecretStore, ref);

  test('is Ready when the login works, and reports an outage within five minutes', async () => {
    await create();
    assert.equal(await ready(), 'True Valid: store validated');
    assert.equal((await cluster.client.get(ClusterSecretStore, ref)).status?.capabilities, 'ReadWrite');
    vault.health = 'down';
    await cluster.clock.advance(minutes(4));
    assert.match((await ready()) ?? '', /^True/);
    await cluster.clock.advance(seconds(65));
    assert.equal(await ready(), 'False InvalidProviderConfig: unable to create client');
    vault.health = 'up';
    await cluster.clock.advance(seconds(30));
    assert.match((await ready()) ?? '', /^True/);
  });

  test('with a static token cannot be validated when the server is down', async () => {
    vault.health = 'down';
    const auth = { tokenSecretRef: { name: 'token', key: 'token' } };
    await create({ provider: { vault: { server: 'https://openbao', path: 'kv-v2', auth } } });
    await cluster.clock.advance(seconds(4));
    assert.equal(await ready(), 'False InvalidProviderConfig: unable to validate store');
  });

  test('that is created again while its predecessor is validated waits for its own validation', async () => {
    vault.latency = seconds(2);
    await create();
    await cluster.clock.advance(seconds(1));
    await cluster.client.delete(ClusterSecretStore, ref);
    await create();
    // Login and validation take four seconds.
    await cluster.clock.advance(seconds(4));
    assert.equal(await ready(), undefined);
    await cluster.clock.advance(seconds(4));
    assert.match((await ready()) ?? '', /^True/);
  });

  test('is validated at its refreshInterval', async () => {
    await create({ refreshInterval: 30 });
    vault.health = 'down';
    await cluster.clock.advance(seconds(34));
    assert.match((await ready()) ?? '', /^False/);
  });

  test('is validated again when a PushSecret changes, so that an outage is reported in seconds', async () => {
    await create();
    vault.health = 'down';
    await cluster.client.create(PushSecret, pushSecret());
    await cluster.clock.advance(seconds(5));
    assert.match((await ready()) ?? '', /^False/);
  });

  test('has a finalizer while a PushSecret with policy Delete refers to it, which also sets a field of its spec', async () => {
    await create();
    await cluster.client.create(Secret, secret('keys', { 0: 'zero' }));
    await cluster.client.create(PushSecret, pushSecret());
    await cluster.clock.advance(seconds(1));
    const held = await cluster.client.get(ClusterSecretStore, ref);
    assert.deepEqual(held.metadata.finalizers, ['secretstore.externalsecrets.io/finalizer']);
    assert.equal(held.metadata.generation, 2);
    await cluster.client.delete(ClusterSecretStore, ref);
    await cluster.clock.advance(minutes(1));
    assert.ok(await cluster.client.find(ClusterSecretStore, ref));
    await cluster.client.delete(PushSecret, pushSecret().metadata);
    await cluster.clock.advance(seconds(1));
    assert.deepEqual(vault.paths(), []);
    assert.equal(await cluster.client.find(ClusterSecretStore, ref), undefined);
  });

  test('is refused without exactly one provider', async () => {
    await assert.rejects(create({ provider: {} }), /spec.provider/);
    const { vault: one } = store.spec.provider;
    await assert.rejects(create({ provider: { vault: one!, openBao: { server: 'x' } } }), /spec.provider/);
  });
});
