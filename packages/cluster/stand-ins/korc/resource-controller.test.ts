// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { milliseconds, minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { at, available, korcCluster, upToDate, type KorcCluster } from '../test/korc-cluster.ts';
import { domain, endpoint, service, user } from '../test/korc-objects.ts';
import type { FakeKeystone } from './fake-keystone.ts';

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

  test('polls every 15 seconds until an import filter matches', async () => {
    const { client, clock } = cluster;
    await client.create(Domain, domain({ ...domain().spec, import: { filter: { name: 'Later' } } }));
    await clock.settle();
    const waiting = 'Waiting for OpenStack resource to be created externally';
    assert.equal(await cluster.progressing(Domain, 'default'), `True Progressing: ${waiting}`);
    assert.equal(await cluster.available(Domain, 'default'), `False Progressing: ${waiting}`);
    keystone.state.resources.domains.set('d1', { id: 'd1', name: 'Later', enabled: true });
    await clock.advance(seconds(14));
    assert.equal(await cluster.progressing(Domain, 'default'), `True Progressing: ${waiting}`);
    await clock.advance(seconds(1));
    assert.equal(await cluster.progressing(Domain, 'default'), upToDate);
    assert.equal((await client.get(Domain, at('default'))).status?.id, 'd1');
  });

  test('treats a failed list as empty, and recovers at the next poll of an import', async () => {
    const { client, clock } = cluster;
    keystone.refuses = (request) => (request === 'GET /v3/domains' ? 500 : undefined);
    await client.create(Domain, domain());
    await clock.advance(minutes(2));
    assert.match((await cluster.progressing(Domain, 'default')) ?? '', /to be created externally/);
    keystone.refuses = () => undefined;
    await clock.advance(seconds(15));
    assert.equal(await cluster.progressing(Domain, 'default'), upToDate);
  });

  test('gives up on several matches, of a filter or of an adoption, until the spec changes', async () => {
    const { client, clock } = cluster;
    const { services } = keystone.state.resources;
    services.set('s2', { id: 's2', name: 'keystone', type: 'identity', enabled: true });
    await client.create(Service, service());
    await clock.settle();
    const failed = 'False InvalidConfiguration: found more than one matching OpenStack resource during adoption';
    assert.equal(await cluster.progressing(Service, 'identity'), failed);
    assert.equal(await cluster.available(Service, 'identity'), failed);
    services.delete('s2');
    await client.patch(Service, at('identity'), 'merge', { metadata: { labels: { a: 'b' } } });
    await clock.advance(minutes(60));
    assert.equal(await cluster.progressing(Service, 'identity'), failed);
    await client.patch(Service, at('identity'), 'merge', { spec: { resource: { description: 'd' } } });
    await clock.settle();
    assert.equal(await cluster.progressing(Service, 'identity'), upToDate);
  });

  test('gives up on an import by an id that does not exist', async () => {
    await cluster.client.create(User, user({ ...user().spec, import: { id: 'a'.repeat(32) } }));
    await cluster.clock.settle();
    assert.match((await cluster.condition('Progressing', User, at('admin'))) ?? '', /^False UnrecoverableError: /);
    assert.match((await cluster.condition('Available', User, at('admin'))) ?? '', /^False UnrecoverableError: /);
  });

  for (const status of [409, 501]) {
    test(`gives up when a creation is refused with ${status}`, async () => {
      keystone.refuses = (request) => (request === 'POST /v3/services' ? status : undefined);
      await cluster.client.create(Service, service({ name: 'nova', type: 'compute' }));
      await cluster.clock.settle();
      assert.match(
        (await cluster.progressing(Service, 'identity')) ?? '',
        /^False InvalidConfiguration: .* creating resource/,
      );
      keystone.refuses = () => undefined;
      await cluster.clock.advance(minutes(60));
      assert.match((await cluster.progressing(Service, 'identity')) ?? '', /^False InvalidConfiguration: /);
    });
  }

  test('retries when a creation is refused with another status', async () => {
    keystone.refuses = (request) => (request === 'POST /v3/services' ? 503 : undefined);
    await cluster.client.create(Service, service({ name: 'nova', type: 'compute' }));
    await cluster.clock.advance(seconds(1));
    assert.match((await cluster.progressing(Service, 'identity')) ?? '', /^True TransientError: .*got 503/);
    keystone.refuses = () => undefined;
    await cluster.clock.advance(seconds(5));
    assert.equal(await cluster.progressing(Service, 'identity'), upToDate);
  });

  test('gives up on a creation without a response, when Keystone is down for an authenticated client', async () => {
    await cluster.client.create(Domain, domain());
    await cluster.clock.settle();
    keystone.health = 'down';
    await cluster.client.create(Service, service({ name: 'nova', type: 'compute' }));
    await cluster.clock.settle();
    assert.match((await cluster.progressing(Service, 'identity')) ?? '', /^False InvalidConfiguration: .*ECONNREFUSED/);
  });

  test('stays available whatever happens to Keystone, until the spec changes', async () => {
    const { client, clock } = cluster;
    await client.create(Service, service({ name: 'nova', type: 'compute' }));
    await clock.settle();
    const { services } = keystone.state.resources;
    const { id = '' } = (await client.get(Service, at('identity'))).status ?? {};
    services.delete(id);
    keystone.health = 'down';
    const before = keystone.requests.length;
    for (const kind of [Service, Secret]) {
      const metadata = { labels: { changed: 'yes' } };
      await client.patch<KubeObject>(kind, at(kind === Secret ? 'clouds' : 'identity'), 'merge', { metadata });
    }
    await clock.advance(minutes(120));
    assert.equal(await cluster.available(Service, 'identity'), available);
    assert.equal(keystone.requests.length, before);
    keystone.health = 'up';
    await client.patch(Service, at('identity'), 'merge', { spec: { resource: { description: 'd' } } });
    await clock.settle();
    const created = (await client.get(Service, at('identity'))).status;
    assert.notEqual(created?.id, id);
    assert.equal(services.get(created?.id ?? '')?.['description'], 'd');
  });

  test('has an unknown availability while a fetch fails', async () => {
    const { client, clock } = cluster;
    await client.create(Service, service());
    await clock.settle();
    keystone.health = 'without database';
    await client.patch(Service, at('identity'), 'merge', { spec: { resource: { description: 'd' } } });
    await clock.advance(seconds(1));
    assert.match((await cluster.available(Service, 'identity')) ?? '', /^Unknown TransientError: .*got 500/);
    keystone.health = 'up';
    await clock.advance(seconds(5));
    assert.equal(await cluster.available(Service, 'identity'), available);
  });

  test('is not available after a change is refused permanently, not even at the next resync', async () => {
    const { client, clock } = cluster;
    await client.create(Service, service({ name: 'nova', type: 'compute' }, { resyncPeriod: '10m' }));
    await clock.advance(seconds(5));
    const { lastSyncTime } = (await client.get(Service, at('identity'))).status ?? {};
    keystone.refuses = (request) => (request.startsWith('PATCH /v3/services/') ? 409 : undefined);
    await client.patch(Service, at('identity'), 'merge', { spec: { resource: { description: 'd' } } });
    await clock.settle();
    keystone.refuses = () => undefined;
    await clock.advance(minutes(60));
    assert.match((await cluster.progressing(Service, 'identity')) ?? '', /^False InvalidConfiguration: /);
    assert.match((await cluster.available(Service, 'identity')) ?? '', /^False InvalidConfiguration: /);
    const { status } = await client.get(Service, at('identity'));
    assert.equal(status?.lastSyncTime, lastSyncTime, 'time of the last success');
  });

  test('has no status of a deleted resource while it cannot be created again', async () => {
    const { client, clock } = cluster;
    await client.create(Service, service({ name: 'nova', type: 'compute' }));
    await clock.settle();
    keystone.state.resources.services.delete((await client.get(Service, at('identity'))).status?.id ?? '');
    keystone.refuses = (request) => (request === 'POST /v3/services' ? 503 : undefined);
    await client.patch(Service, at('identity'), 'merge', { spec: { resource: { description: 'd' } } });
    await clock.advance(seconds(1));
    const { status } = await client.get(Service, at('identity'));
    assert.deepEqual([status?.id, status?.resource], [undefined, undefined]);
  });

  test('changes fields that differ, and reports in between that it will refresh', async () => {
    const { client, clock } = cluster;
    await client.create(Service, service());
    await client.create(Endpoint, endpoint());
    await clock.settle();
    keystone.latency = seconds(1);
    const change = { url: 'https://id.example/v3', enabled: false };
    await client.patch(Endpoint, at('public'), 'merge', { spec: { resource: change } });
    await clock.advance(milliseconds(2500));
    assert.equal(
      await cluster.condition('Progressing', Endpoint, at('public')),
      'True Progressing: Resource status will be refreshed',
    );
    assert.equal(await cluster.condition('Available', Endpoint, at('public')), available);
    await clock.advance(seconds(2));
    const { status } = await client.get(Endpoint, at('public'));
    assert.equal(status?.resource?.url, 'https://id.example/v3');
    const stored = keystone.state.resources.endpoints.get(status.id ?? '');
    assert.deepEqual({ url: stored?.['url'], enabled: stored?.['enabled'] }, change);
  });

  test('resyncs at its resyncPeriod', async () => {
    const { client, clock } = cluster;
    await client.create(Service, service({ name: 'nova', type: 'compute' }, { resyncPeriod: '10m' }));
    await clock.settle();
    const { id = '', lastSyncTime } = (await client.get(Service, at('identity'))).status ?? {};
    keystone.state.resources.services.delete(id);
    await clock.advance(minutes(11));
    const { status } = await client.get(Service, at('identity'));
    assert.notEqual(status?.id, id);
    assert.notEqual(status?.lastSyncTime, lastSyncTime);
  });
});
