// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { at, korcCluster, type KorcCluster } from '../test/korc-cluster.ts';
import { applicationCredential, clouds, cloudsYaml, domain, endpoint, service } from '../test/korc-objects.ts';
import type { FakeKeystone } from './fake-keystone.ts';
import type { KorcObject } from './korc-object.ts';

const compute = { name: 'nova', type: 'compute' };

const guarded = (kind: string) => `True Progressing: Waiting for finalizer openstack.k-orc.cloud/${kind} to be removed`;

describe('the deletion of an object of K-ORC', () => {
  let cluster: KorcCluster;
  let keystone: FakeKeystone;

  beforeEach(async () => {
    cluster = await korcCluster();
    ({ keystone } = cluster);
    const { client, clock } = cluster;
    await cluster.mint();
    await client.create(Service, service(compute));
    await client.create(Endpoint, endpoint());
    await clock.settle();
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const exists = async (kind: Kind, name: string) => (await cluster.client.find(kind, at(name))) !== undefined;
  const services = () => [...keystone.state.resources.services.values()].map(({ name }) => name);
  const remove = async (kind: Kind, name: string) => {
    await cluster.client.delete(kind, at(name));
    await cluster.clock.settle();
  };
  const restart = async () => {
    await cluster.stop();
    await cluster.start();
    await cluster.clock.settle();
  };

  test('revokes a credential and deletes an endpoint and a service within a second', async () => {
    const { endpoints } = keystone.state.resources;
    const before = endpoints.size;
    for (const [kind, name] of [
      [ApplicationCredential, 'credential'],
      [Endpoint, 'public'],
      [Service, 'identity'],
    ] as const) {
      await cluster.client.delete(kind, at(name));
      await cluster.clock.advance(seconds(1));
      assert.equal(await exists(kind, name), false);
    }
    assert.equal(keystone.state.credentials.size, 0);
    assert.equal(endpoints.size, before - 1);
    assert.deepEqual(services(), ['keystone']);
  });

  test('keeps imported and detached resources in Keystone', async () => {
    await cluster.client.patch(Service, at('identity'), 'merge', { spec: { managedOptions: { onDelete: 'detach' } } });
    await remove(ApplicationCredential, 'credential');
    await remove(Endpoint, 'public');
    for (const [kind, name] of [
      [User, 'admin'],
      [Domain, 'default'],
      [Service, 'identity'],
    ] as const) {
      await remove(kind, name);
      assert.equal(await exists(kind, name), false);
    }
    assert.deepEqual(services(), ['keystone', 'nova']);
    assert.equal(keystone.state.resources.users.size, 1);
    assert.ok(!keystone.requests.some((request) => /^DELETE .*(services|users\/[^/]+$|domains)/.test(request)));
  });

  test('of an adopted service removes it from the catalog, with its endpoints', async () => {
    await cluster.client.create(Service, { ...service(), metadata: at('keystone') });
    await cluster.clock.settle();
    await remove(Service, 'keystone');
    assert.deepEqual(services(), ['nova']);
    const { endpoints } = keystone.state.resources;
    assert.deepEqual(
      [...endpoints.values()].map((each) => each['region']),
      [undefined],
    );
  });

  test('checks every second whether the resource is deleted', async () => {
    keystone.latency = seconds(2);
    const reads = () => keystone.requests.filter((request) => request.startsWith('GET /v3/endpoints/')).length;
    const before = reads();
    await cluster.client.delete(Endpoint, at('public'));
    await cluster.clock.advance(seconds(5));
    const waiting = 'True Progressing: Waiting for OpenStack resource to be deleted';
    assert.equal(await cluster.progressing(Endpoint, 'public'), waiting);
    await cluster.clock.advance(seconds(3));
    assert.equal(await exists(Endpoint, 'public'), false);
    assert.equal(reads() - before, 2);
  });

  test('waits for finalizers of others before it deletes anything', async () => {
    const { client, clock } = cluster;
    const { finalizers = [] } = (await client.get(Endpoint, at('public'))).metadata;
    await client.patch(Endpoint, at('public'), 'merge', {
      metadata: { finalizers: [...finalizers, 'example.com/hold'] },
    });
    await remove(Endpoint, 'public');
    await clock.advance(minutes(60));
    const waiting = 'True Progressing: Waiting for finalizer example.com/hold to be removed';
    assert.equal(await cluster.progressing(Endpoint, 'public'), waiting);
    assert.ok(!keystone.requests.some((request) => request.startsWith('DELETE')));
    await client.patch(Endpoint, at('public'), 'merge', { metadata: { finalizers } });
    await clock.settle();
    assert.equal(await exists(Endpoint, 'public'), false);
  });

  test('waits in the order of the guards: endpoint before service, credential before user, all before the Secret', async () => {
    const { client } = cluster;
    for (const [kind, name] of [
      [Service, 'identity'],
      [User, 'admin'],
      [Secret, 'clouds'],
    ] as const) {
      await remove(kind, name);
      assert.equal(await exists(kind, name), true);
    }
    assert.equal(await cluster.progressing(Service, 'identity'), guarded('endpoint'));
    assert.equal(await cluster.progressing(User, 'admin'), guarded('applicationcredential'));
    await remove(Endpoint, 'public');
    assert.equal(await exists(Service, 'identity'), false);
    await remove(ApplicationCredential, 'credential');
    assert.equal(await exists(User, 'admin'), false);
    assert.deepEqual((await client.get(Secret, at('clouds'))).metadata.finalizers, ['openstack.k-orc.cloud/domain']);
    await remove(Domain, 'default');
    assert.equal(await exists(Secret, 'clouds'), false);
  });

  test('of a service waits for the credentials whose access rules name it', async () => {
    const { client, clock } = cluster;
    await remove(Endpoint, 'public');
    await remove(ApplicationCredential, 'credential');
    await client.create(
      ApplicationCredential,
      applicationCredential({ accessRules: [{ path: '/', serviceRef: 'identity' }] }),
    );
    await clock.settle();
    await remove(Service, 'identity');
    assert.equal(await cluster.progressing(Service, 'identity'), guarded('applicationcredential'));
    await remove(ApplicationCredential, 'credential');
    assert.equal(await exists(Service, 'identity'), false);
  });

  test('leaves guards on objects that are not deleted', async () => {
    await remove(ApplicationCredential, 'credential');
    const guard = 'openstack.k-orc.cloud/applicationcredential';
    assert.ok((await cluster.client.get(User, at('admin'))).metadata.finalizers?.includes(guard));
    assert.ok((await cluster.client.get(Secret, at('clouds'))).metadata.finalizers?.includes(guard));
  });

  test('ignores referrers that the target owns', async () => {
    const { client, clock } = cluster;
    const { uid = '' } = (await client.get(Secret, at('clouds'))).metadata;
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'clouds', uid };
    await client.patch(Domain, at('default'), 'merge', { metadata: { ownerReferences: [owner] } });
    await remove(Secret, 'clouds');
    await clock.settle();
    const { finalizers = [] } = (await client.get(Secret, at('clouds'))).metadata;
    assert.ok(
      !finalizers.includes('openstack.k-orc.cloud/domain') && finalizers.includes('openstack.k-orc.cloud/user'),
    );
  });

  test('does not wait for referrers in another namespace', async () => {
    const { client } = cluster;
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await client.create(Domain, { ...domain(), metadata: { namespace: 'other', name: 'default' } });
    for (const [kind, name] of [
      [ApplicationCredential, 'credential'],
      [Endpoint, 'public'],
      [Service, 'identity'],
      [User, 'admin'],
      [Domain, 'default'],
      [Secret, 'clouds'],
    ] as const) {
      await remove(kind, name);
      assert.equal(await exists(kind, name), false, name);
    }
  });

  test('needs valid credentials, also for imported resources, and retries forever', async () => {
    const { client, clock } = cluster;
    await client.patch(Secret, at('clouds'), 'merge', { data: clouds(cloudsYaml({ password: 'wrong' })).data });
    await remove(Domain, 'default');
    await clock.advance(minutes(120));
    assert.match((await cluster.progressing(Domain, 'default')) ?? '', /^True TransientError: .*got 401/);
    await client.patch(Secret, at('clouds'), 'merge', { data: clouds().data });
    await clock.settle();
    assert.equal(await exists(Domain, 'default'), false);
  });

  test('waits for deleted credentials', async () => {
    const { client, clock } = cluster;
    await client.patch(Secret, at('clouds'), 'merge', { metadata: { finalizers: null } });
    await remove(Secret, 'clouds');
    await remove(Endpoint, 'public');
    assert.equal(
      await cluster.progressing(Endpoint, 'public'),
      'True Progressing: Waiting for Secret/clouds to be created',
    );
    await client.create(Secret, clouds());
    await clock.settle();
    assert.equal(await exists(Endpoint, 'public'), false);
  });

  test('of an object without its finalizer has nothing to do', async () => {
    const { client } = cluster;
    await client.patch(Endpoint, at('public'), 'merge', { metadata: { finalizers: null } });
    const before = keystone.requests.length;
    await remove(Endpoint, 'public');
    assert.equal(keystone.requests.length, before);
    assert.equal(await exists(Endpoint, 'public'), false);
  });

  test('waits while Keystone is down, and ends within seconds when it is up again', async () => {
    const { client, clock } = cluster;
    keystone.health = 'down';
    await client.delete(Endpoint, at('public'));
    await client.delete(Domain, at('default'));
    await clock.advance(seconds(10));
    for (const [kind, name] of [
      [Endpoint, 'public'],
      [Domain, 'default'],
    ] as const) {
      assert.match((await cluster.progressing(kind, name)) ?? '', /^True TransientError: .*ECONNREFUSED/);
      assert.match((await cluster.available(kind, name)) ?? '', /^Unknown TransientError: /);
    }
    keystone.health = 'up';
    await clock.advance(seconds(20));
    assert.equal(await exists(Endpoint, 'public'), false);
    assert.equal(await exists(Domain, 'default'), false);
  });

  test('of a credential while Keystone is down ends without a revocation, if the client is logged in', async () => {
    keystone.health = 'down';
    await remove(ApplicationCredential, 'credential');
    assert.equal(await exists(ApplicationCredential, 'credential'), false);
    assert.equal(keystone.state.credentials.size, 1);
  });

  test('of a credential while Keystone is down waits and then revokes it, if K-ORC was restarted', async () => {
    keystone.health = 'down';
    await restart();
    await remove(ApplicationCredential, 'credential');
    assert.equal(await exists(ApplicationCredential, 'credential'), true);
    assert.equal(keystone.state.credentials.size, 1);
    keystone.health = 'up';
    await cluster.clock.advance(seconds(20));
    assert.equal(await exists(ApplicationCredential, 'credential'), false);
    assert.equal(keystone.state.credentials.size, 0);
  });

  test('of a credential needs its User, and both deadlock when the User has a bad login', async () => {
    const { client, clock } = cluster;
    await client.create(Secret, clouds(cloudsYaml({ password: 'wrong' }), 'bad'));
    const bad = { spec: { cloudCredentialsRef: { secretName: 'bad' } } };
    await client.patch(User, at('admin'), 'merge', bad);
    await client.delete(User, at('admin'));
    await clock.advance(seconds(1));
    await remove(ApplicationCredential, 'credential');
    await clock.advance(minutes(60));
    assert.match((await cluster.progressing(User, 'admin')) ?? '', /^True TransientError/);
    const waiting = 'True Progressing: Waiting for User/admin to be ready';
    assert.equal(await cluster.progressing(ApplicationCredential, 'credential'), waiting);
    await client.patch(User, at('admin'), 'merge', { spec: { cloudCredentialsRef: { secretName: 'clouds' } } });
    await clock.advance(seconds(1));
    assert.equal(await exists(ApplicationCredential, 'credential'), false);
    assert.equal(await exists(User, 'admin'), false);
    assert.equal(keystone.state.credentials.size, 0);
  });

  test('of an object whose dependency never existed succeeds', async () => {
    await cluster.client.create(Endpoint, { ...endpoint({ serviceRef: 'missing' }), metadata: at('early') });
    await cluster.clock.settle();
    await remove(Endpoint, 'early');
    assert.equal(await exists(Endpoint, 'early'), false);
  });

  test('of an object with several matches is stuck until they are deleted and an event arrives', async () => {
    const { client, clock } = cluster;
    const stored = keystone.state.resources.services;
    for (const id of ['s1', 's2']) stored.set(id, { id, name: 'glance', type: 'image', enabled: true });
    await client.create(Service, { ...service({ name: 'glance', type: 'image' }), metadata: at('image') });
    await clock.settle();
    await remove(Service, 'image');
    stored.delete('s2');
    await clock.advance(minutes(60));
    assert.match(
      (await cluster.progressing(Service, 'image')) ?? '',
      /^False InvalidConfiguration: found more than one/,
    );
    await client.patch(Service, at('image'), 'merge', { metadata: { labels: { a: 'b' } } });
    await clock.settle();
    assert.equal(await exists(Service, 'image'), false);
    assert.equal(stored.has('s1'), false);
  });

  test('of all objects of a ControlPlane, switched to the password and detached, takes seconds, even right after a restart', async () => {
    const { client, clock } = cluster;
    const { id } = (await client.get(ApplicationCredential, at('credential'))).status ?? {};
    const auth = { application_credential_id: id, application_credential_secret: 's3cret' };
    await client.create(Secret, clouds(cloudsYaml(auth), 'by-credential'));
    const detach = { managedOptions: { onDelete: 'detach' } };
    const all = [
      [Domain, 'default', {}],
      [User, 'admin', {}],
      [Service, 'identity', detach],
      [Endpoint, 'public', detach],
    ] as const;
    const moveAll = async (secretName: string) => {
      for (const [kind, name, more] of all) {
        const spec = { cloudCredentialsRef: { secretName }, ...more };
        await client.patch<KorcObject>(kind, at(name), 'merge', { spec });
      }
    };
    await moveAll('by-credential');
    await clock.settle();
    await restart();
    await moveAll('clouds');
    for (const [kind, name] of [[ApplicationCredential, 'credential'] as const, ...all]) {
      await client.delete(kind, at(name));
    }
    await clock.advance(seconds(2));
    for (const [kind, name] of [[ApplicationCredential, 'credential'] as const, ...all]) {
      assert.equal(await exists(kind, name), false, kind.kind);
    }
    assert.equal(keystone.state.credentials.size, 0);
    assert.deepEqual(services(), ['keystone', 'nova']);
    assert.equal(keystone.state.resources.endpoints.size, 4);
  });

  describe('after the application credential of its login was revoked', () => {
    beforeEach(async () => {
      const { client, clock } = cluster;
      const { id } = (await client.get(ApplicationCredential, at('credential'))).status ?? {};
      const auth = { application_credential_id: id, application_credential_secret: 's3cret' };
      await client.create(Secret, clouds(cloudsYaml(auth), 'by-credential'));
      const cloudCredentialsRef = { secretName: 'by-credential', cloudName: 'admin' };
      await client.create(Domain, { ...domain({ ...domain().spec, cloudCredentialsRef }), metadata: at('domain') });
      await client.create(Service, {
        ...service({ name: 'glance', type: 'image' }, { cloudCredentialsRef }),
        metadata: at('image'),
      });
      await clock.settle();
      assert.ok(services().includes('glance'));
      await remove(ApplicationCredential, 'credential');
      assert.equal(keystone.state.credentials.size, 0);
    });

    test('ends without deleting the resource, if the client is logged in', async () => {
      await remove(Service, 'image');
      assert.equal(await exists(Service, 'image'), false);
      assert.ok(services().includes('glance'));
    });

    test('is stuck if K-ORC was restarted', async () => {
      await restart();
      await remove(Service, 'image');
      await cluster.clock.advance(minutes(60));
      assert.match(
        (await cluster.progressing(Service, 'image')) ?? '',
        /^True TransientError: .*auth\/tokens: got 404/,
      );
    });

    test('is not the only failure: when specs change, an import fails permanently and a service is retried forever', async () => {
      const { client, clock } = cluster;
      await client.patch(Domain, at('domain'), 'merge', { spec: { resyncPeriod: '1h' } });
      await client.patch(Service, at('image'), 'merge', { spec: { resource: { description: 'd' } } });
      await clock.advance(seconds(1));
      assert.match((await cluster.progressing(Domain, 'domain')) ?? '', /^False UnrecoverableError: /);
      assert.match(
        (await cluster.progressing(Service, 'image')) ?? '',
        /^True TransientError: .*POST .*services: got 404/,
      );
      assert.equal((await client.get(Service, at('image'))).status?.id, undefined);
    });
  });
});
