// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { at, available, korcCluster, upToDate, type KorcCluster } from '../test/korc-cluster.ts';
import { applicationCredential, clouds, domain, endpoint, service, user } from '../test/korc-objects.ts';
import { secret } from '../test/secret-objects.ts';
import type { FakeKeystone } from './fake-keystone.ts';
import type { KorcObject } from './korc-object.ts';

describe('K-ORC', () => {
  let cluster: KorcCluster;
  let keystone: FakeKeystone;

  beforeEach(async () => {
    cluster = await korcCluster();
    ({ keystone } = cluster);
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  test('writes with the field managers of its controllers', async () => {
    const { client } = cluster;
    await cluster.mint();
    const managersOf = async (kind: Kind, name: string) =>
      ((await client.get(kind, at(name))).metadata.managedFields ?? [])
        .filter(({ manager }) => manager !== 'unknown')
        .map(({ manager, operation, subresource }) => [operation, manager, subresource].filter(Boolean).join(' '))
        .toSorted();
    assert.deepEqual(await managersOf(User, 'admin'), [
      'Apply openstack.k-orc.cloud/applicationcredentialcontroller',
      'Apply openstack.k-orc.cloud/usercontroller/finalizer',
      'Apply openstack.k-orc.cloud/usercontroller/status status',
      'Update manager status',
    ]);
    assert.deepEqual(await managersOf(Secret, 'clouds'), [
      'Apply openstack.k-orc.cloud/applicationcredentialcontroller',
      'Apply openstack.k-orc.cloud/domaincontroller',
      'Apply openstack.k-orc.cloud/usercontroller',
    ]);
  });

  test('imports the default domain and the administrator, creates a credential, and adopts the catalog of the bootstrap', async () => {
    const { client, clock } = cluster;
    const before = [keystone.state.resources.services.size, keystone.state.resources.endpoints.size];
    await cluster.mint({ name: 'default.cp.0123456789ab', unrestricted: false });
    await client.create(Service, service());
    await client.create(Endpoint, endpoint());
    await clock.settle();
    const [admin] = keystone.state.admins;
    assert.equal((await client.get(Domain, at('default'))).status?.id, 'default');
    assert.equal((await client.get(User, at('admin'))).status?.id, admin);
    const minted = (await client.get(ApplicationCredential, at('credential'))).status;
    assert.equal(keystone.state.credentials.get(minted?.id ?? '')?.secret, 's3cret');
    assert.deepEqual([minted?.resource?.name, minted?.resource?.unrestricted], ['default.cp.0123456789ab', false]);
    for (const [kind, name] of [
      [Domain, 'default'],
      [User, 'admin'],
      [ApplicationCredential, 'credential'],
      [Service, 'identity'],
      [Endpoint, 'public'],
    ] as const) {
      assert.equal(await cluster.progressing(kind, name), upToDate);
      assert.equal(await cluster.available(kind, name), available);
      const { metadata, status } = await client.get<KorcObject>(kind, at(name));
      assert.deepEqual(metadata.finalizers?.includes(`openstack.k-orc.cloud/${kind.singular}`), true);
      assert.deepEqual(
        status?.conditions?.map(({ type, observedGeneration }) => [type, observedGeneration]),
        [
          ['Available', 1],
          ['Progressing', 1],
        ],
      );
      assert.ok(status.lastSyncTime);
    }
    assert.deepEqual([keystone.state.resources.services.size, keystone.state.resources.endpoints.size], before);
    assert.deepEqual((await cluster.secretGuards('clouds')).toSorted(), [
      'openstack.k-orc.cloud/applicationcredential',
      'openstack.k-orc.cloud/domain',
      'openstack.k-orc.cloud/endpoint',
      'openstack.k-orc.cloud/service',
      'openstack.k-orc.cloud/user',
    ]);
  });

  test('guards the references of a resource, but not the Secret of a credential or references of a filter', async () => {
    const { client, clock } = cluster;
    await cluster.mint();
    await client.create(Service, service());
    await client.create(Endpoint, endpoint());
    await clock.settle();
    const guards = async (kind: Kind<KorcObject>, name: string) =>
      (await client.get(kind, at(name))).metadata.finalizers;
    assert.deepEqual(await guards(User, 'admin'), [
      'openstack.k-orc.cloud/user',
      'openstack.k-orc.cloud/applicationcredential',
    ]);
    assert.deepEqual(await guards(Service, 'identity'), [
      'openstack.k-orc.cloud/service',
      'openstack.k-orc.cloud/endpoint',
    ]);
    assert.deepEqual(await guards(Domain, 'default'), ['openstack.k-orc.cloud/domain']);
    assert.deepEqual(await cluster.secretGuards('mint'), []);
  });

  test('never writes the data of a Secret', async () => {
    await cluster.mint();
    assert.deepEqual((await cluster.client.get(Secret, at('mint'))).data, { value: btoa('s3cret') });
    assert.deepEqual((await cluster.client.get(Secret, at('clouds'))).data, clouds().data);
    assert.deepEqual(
      (await cluster.client.list(Secret)).items.map(({ metadata }) => metadata.name),
      ['clouds', 'mint'],
    );
  });

  test('does not adopt a service of another type', async () => {
    const { services } = keystone.state.resources;
    const before = [...services.keys()];
    await cluster.client.create(Service, service({ type: 'identity-admin' }));
    await cluster.clock.settle();
    const { id } = (await cluster.client.get(Service, at('identity'))).status ?? {};
    assert.deepEqual([...services.keys()], [...before, id]);
  });

  test('does not adopt or import an endpoint with another URL', async () => {
    const { client, clock } = cluster;
    const { endpoints } = keystone.state.resources;
    const before = [...endpoints.keys()];
    await client.create(Service, service());
    await client.create(Endpoint, endpoint({ url: 'https://id.example/v3' }));
    await clock.settle();
    const { id = '' } = (await client.get(Endpoint, at('public'))).status ?? {};
    assert.deepEqual([...endpoints.keys()], [...before, id]);
    const filter = { interface: 'public', serviceRef: 'identity', url: 'https://id.example/v3' } as const;
    const { apiVersion, kind, spec } = endpoint();
    const { cloudCredentialsRef } = spec;
    const imported = { cloudCredentialsRef, managementPolicy: 'unmanaged', import: { filter } } as const;
    await client.create(Endpoint, { apiVersion, kind, metadata: at('imported'), spec: imported });
    await clock.settle();
    assert.equal((await client.get(Endpoint, at('imported'))).status?.id, id);
  });

  test('waits until referenced objects exist, and then until they are ready', async () => {
    const { client, clock } = cluster;
    await client.create(Endpoint, endpoint());
    await client.create(ApplicationCredential, applicationCredential());
    await clock.settle();
    const waiting = (kind: Kind<KorcObject>, name: string) => cluster.progressing(kind, name);
    assert.equal(await waiting(Endpoint, 'public'), 'True Progressing: Waiting for Service/identity to be created');
    keystone.refuses = (request) => (request === 'POST /v3/services' ? 503 : undefined);
    await client.create(Service, service({ name: 'nova', type: 'compute' }));
    await clock.advance(seconds(1));
    assert.equal(await waiting(Endpoint, 'public'), 'True Progressing: Waiting for Service/identity to be ready');
    keystone.refuses = () => undefined;
    await clock.advance(seconds(5));
    assert.equal(await waiting(Endpoint, 'public'), upToDate);
    const credential = ApplicationCredential;
    assert.equal(await waiting(credential, 'credential'), 'True Progressing: Waiting for User/admin to be created');
    await client.create(Domain, domain());
    await client.create(User, user());
    await clock.settle();
    assert.equal(await waiting(credential, 'credential'), 'True Progressing: Waiting for Secret/mint to be created');
    await client.create(Secret, secret('mint', { other: 'x' }));
    await clock.settle();
    const missing = 'True Progressing: Application credential secret does not contain "value" key';
    assert.equal(await waiting(credential, 'credential'), missing);
    await client.patch(Secret, at('mint'), 'merge', { data: { value: btoa('later') } });
    await clock.settle();
    assert.equal(await waiting(credential, 'credential'), upToDate);
  });

  test('lists everything that it waits for, including references of an import filter', async () => {
    const { client, clock } = cluster;
    const accessRules = [{ path: '/', serviceRef: 'compute' }];
    await client.create(ApplicationCredential, applicationCredential({ accessRules }));
    await client.create(User, user());
    await clock.settle();
    const waits = ['Waiting for User/admin to be ready', 'Waiting for Service/compute to be created'];
    assert.equal(
      await cluster.progressing(ApplicationCredential, 'credential'),
      `True Progressing: ${waits.join('\n')}`,
    );
    const missing = 'True Progressing: Waiting for Domain/default to be created';
    assert.equal(await cluster.progressing(User, 'admin'), missing);
    await client.create(Domain, domain());
    await client.create(Secret, secret('mint', { value: 's3cret' }));
    await clock.settle();
    assert.equal(await cluster.progressing(User, 'admin'), upToDate);
    await client.create(Service, { ...service(), metadata: at('compute') });
    await clock.settle();
    assert.equal(await cluster.progressing(ApplicationCredential, 'credential'), upToDate);
  });

  test('imports the user of the domain in the filter', async () => {
    const { client } = cluster;
    const { users } = keystone.state.resources;
    users.set('u2', { id: 'u2', name: 'admin', domain_id: 'other', enabled: true });
    await cluster.mint();
    assert.equal((await client.get(User, at('admin'))).status?.id, [...keystone.state.admins][0]);
  });

  test('does not change the password of a user that it adopts', async () => {
    const { client, clock } = cluster;
    const { resources, passwords } = keystone.state;
    resources.users.set('u2', { id: 'u2', name: 'service', domain_id: 'default', enabled: true });
    passwords.set('u2', 'theirs');
    await client.create(Secret, secret('one', { password: 'one' }));
    await client.create(User, user({ resource: { name: 'service', passwordRef: 'one' } }));
    await clock.advance(seconds(5));
    assert.equal((await client.get(User, at('admin'))).status?.id, 'u2');
    assert.equal(passwords.get('u2'), 'theirs');
  });

  test('creates domains and users, and applies the password of another Secret', async () => {
    const { client, clock } = cluster;
    const { domains, users } = keystone.state.resources;
    await client.create(Secret, secret('one', { password: 'one' }));
    await client.create(Secret, secret('two', { password: 'two' }));
    await client.create(Domain, domain({ resource: { name: 'tenants', description: 'd' } }));
    await client.create(User, user({ resource: { name: 'service', domainRef: 'default', passwordRef: 'one' } }));
    await clock.settle();
    const { id: domainId = '' } = (await client.get(Domain, at('default'))).status ?? {};
    const { id = '', resource } = (await client.get(User, at('admin'))).status ?? {};
    assert.equal(domains.get(domainId)?.['name'], 'tenants');
    assert.deepEqual([users.get(id)?.['domain_id'], resource?.domainID], [domainId, domainId]);
    assert.equal(keystone.state.passwords.get(id), 'one');
    await client.patch(User, at('admin'), 'merge', { spec: { resource: { passwordRef: 'two', enabled: false } } });
    await clock.settle();
    assert.equal(keystone.state.passwords.get(id), 'two');
    assert.equal(users.get(id)?.['enabled'], false);
    await client.delete(Domain, at('default'));
    await clock.settle();
    assert.equal(
      await cluster.progressing(Domain, 'default'),
      'True Progressing: Waiting for finalizer openstack.k-orc.cloud/user to be removed',
    );
    await client.delete(User, at('admin'));
    await clock.settle();
    assert.deepEqual([domains.has(domainId), users.has(id)], [false, false]);
    assert.equal(await client.find(Domain, at('default')), undefined);
  });
});
