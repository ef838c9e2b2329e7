// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { externalSecret, pushSecret, secret, store } from '../test/secret-objects.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { externalSecrets } from './external-secrets.ts';
import { fakeVault, type FakeVault } from './fake-vault.ts';

const db = { namespace: 'default', name: 'db' };

describe('External Secrets', () => {
  let vault: FakeVault;
  let cluster: StandInCluster;

  beforeEach(async () => {
    vault = fakeVault();
    vault.write('kv-v2/db', { username: 'keystone', password: 'one', port: 3306, 'a b': '{"inner":"x"}' });
    cluster = await standInCluster((clock) => externalSecrets(vault.reachedBy(clock)));
    await cluster.client.create(ClusterSecretStore, store);
    await cluster.clock.settle();
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const create = async (spec: Partial<ExternalSecret['spec']>) => {
    const { data: _, ...rest } = externalSecret().spec;
    await cluster.client.create(ExternalSecret, { ...externalSecret(), spec: { ...rest, ...spec } });
    await cluster.clock.settle();
  };

  /** Events of a kind: `component: Type Reason message`. */
  async function events(kind: string): Promise<string[]> {
    const { items } = await cluster.client.list(Event, { namespace: 'default' });
    return items
      .filter(({ involvedObject }) => involvedObject.kind === kind)
      .map(({ source, type, reason, message }) => `${source?.component}: ${type} ${reason} ${message}`);
  }

  async function values(): Promise<Record<string, string>> {
    const { data = {} } = await cluster.client.get(Secret, db);
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, atob(value)]));
  }

  test('records Events about its actions, each controller under its own name', async () => {
    await cluster.client.create(ExternalSecret, externalSecret({ refreshInterval: '1m' }));
    await cluster.client.create(Secret, secret('keys', { 0: 'a' }));
    await cluster.client.create(PushSecret, pushSecret());
    await cluster.clock.advance(seconds(2));
    assert.deepEqual(await events('ExternalSecret'), ['external-secrets: Normal Created secret created']);
    assert.deepEqual(await events('PushSecret'), ['pushsecret: Normal Synced PushSecret synced successfully']);
    assert.deepEqual(await events('ClusterSecretStore'), ['cluster-secret-store: Normal Valid store validated']);
    await cluster.clock.advance(minutes(2));
    assert.equal((await events('ExternalSecret')).length, 1, 'a refresh that changes nothing has no Event');
    vault.write('kv-v2/db', { username: 'keystone', password: 'two' });
    await cluster.clock.advance(minutes(2));
    assert.ok((await events('ExternalSecret')).includes('external-secrets: Normal Updated secret updated'));
  });

  test('records Events about failures', async () => {
    vault.health = 'down';
    await cluster.client.create(PushSecret, pushSecret());
    await cluster.clock.advance(seconds(10));
    const failed = /^cluster-secret-store: Warning InvalidProviderConfig .*connection refused$/m;
    assert.match((await events('ClusterSecretStore')).join('\n'), failed);
    assert.deepEqual(await events('PushSecret'), ['pushsecret: Warning Errored could not get source secret']);
  });

  test('uses the field manager of the ExternalSecret for Secrets, and that of the program for everything else', async () => {
    const managersOf = async (name: string) => {
      const { metadata } = await cluster.client.get(Secret, { ...db, name });
      return metadata.managedFields?.map(({ manager, operation }) => `${operation} ${manager}`);
    };
    const data = externalSecret().spec.data ?? [];
    await create({ data });
    assert.deepEqual(await managersOf('db'), ['Update externalsecrets.external-secrets.io/db']);
    const name = 'a-name-that-is-longer-than-a-field-manager-may-be';
    await cluster.client.create(ExternalSecret, { ...externalSecret(), metadata: { ...db, name } });
    await cluster.clock.settle();
    assert.match(
      (await managersOf(name))?.[0] ?? '',
      /^Update externalsecrets.external-secrets.io\/sha3\/[0-9a-f]{56}$/,
    );
    const { metadata } = await cluster.client.get(ExternalSecret, db);
    const managers = metadata.managedFields?.map(({ manager }) => manager);
    assert.ok(managers?.includes('external-secrets'), managers?.join());
  });

  test('uses every field of a secret with dataFrom, and then single values', async () => {
    const data = [{ secretKey: 'port', remoteRef: { key: 'db', property: 'username' } }];
    await create({ dataFrom: [{ extract: { key: 'db' } }], data });
    const all = { username: 'keystone', password: 'one', port: 'keystone', a_b: '{"inner":"x"}' };
    assert.deepEqual(await values(), all);
  });

  test('uses the fields of the JSON in a property with dataFrom', async () => {
    await create({ dataFrom: [{ extract: { key: 'db', property: 'a b' } }] });
    assert.deepEqual(await values(), { inner: 'x' });
  });

  test('fails with dataFrom at a missing path, unless the Secret may be deleted', async () => {
    await create({ dataFrom: [{ extract: { key: 'nowhere' } }] });
    assert.deepEqual(await events('ExternalSecret'), [
      'external-secrets: Warning UpdateFailed error processing spec.dataFrom[0].extract, err: Secret does not exist',
    ]);
    await cluster.client.patch(ExternalSecret, db, 'merge', { spec: { target: { deletionPolicy: 'Delete' } } });
    await cluster.clock.settle();
    assert.match((await cluster.ready(ExternalSecret, db)) ?? '', /^True SecretDeleted/);
    const skipped = 'MissingProviderSecret secret does not exist at provider using spec.dataFrom[0]';
    assert.ok((await events('ExternalSecret')).includes(`external-secrets: Normal ${skipped}`));
  });

  test('reports a part of dataFrom that it does not support', async () => {
    await create({ dataFrom: [{ find: { name: { regexp: '.*' } } } as object] });
    assert.match((await events('ExternalSecret'))[0] ?? '', /spec.dataFrom\[0\].*this stand-in supports only extract$/);
  });
});
