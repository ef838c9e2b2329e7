// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Domain, Service } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { at, korcCluster, upToDate, type KorcCluster } from '../test/korc-cluster.ts';
import { clouds, cloudsYaml, domain, service } from '../test/korc-objects.ts';
import type { FakeKeystone } from './fake-keystone.ts';

describe('a login of K-ORC', () => {
  let cluster: KorcCluster;
  let keystone: FakeKeystone;

  beforeEach(async () => {
    cluster = await korcCluster();
    ({ keystone } = cluster);
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  test('waits for a credentials Secret, and continues as soon as it exists', async () => {
    const { client, clock } = cluster;
    await client.create(
      Domain,
      domain({ ...domain().spec, cloudCredentialsRef: { secretName: 'later', cloudName: 'admin' } }),
    );
    await clock.settle();
    const waiting = 'Waiting for Secret/later to be created';
    assert.equal(await cluster.progressing(Domain, 'default'), `True Progressing: ${waiting}`);
    assert.equal(await cluster.available(Domain, 'default'), `False Progressing: ${waiting}`);
    await client.create(Secret, clouds(cloudsYaml(), 'later'));
    await clock.settle();
    assert.equal(await cluster.progressing(Domain, 'default'), upToDate);
  });

  for (const [what, document, message] of [
    ['is not YAML', '{', /Flow map/],
    ['has only another cloud', '{"clouds":{"other":{}}}', /clouds.yaml of Secret clouds has no cloud admin/],
    ['has a wrong password', cloudsYaml({ password: 'wrong' }), /POST .*\/v3\/auth\/tokens: got 401/],
    ['names a missing catalog interface', cloudsYaml({}, { region_name: 'Other' }), /No suitable endpoint/],
    ['names a host without Keystone', cloudsYaml({ auth_url: 'http://other/v3' }), /host other cannot be resolved/],
  ] as const) {
    test(`fails temporarily, without its finalizer but with its guard, when clouds.yaml ${what}`, async () => {
      await cluster.client.patch(Secret, at('clouds'), 'merge', { data: clouds(document).data });
      await cluster.client.create(Domain, domain());
      await cluster.clock.advance(seconds(1));
      assert.match((await cluster.progressing(Domain, 'default')) ?? '', /^True TransientError: /);
      assert.match((await cluster.progressing(Domain, 'default')) ?? '', message);
      assert.match((await cluster.available(Domain, 'default')) ?? '', /^False TransientError: /);
      assert.equal((await cluster.client.get(Domain, at('default'))).metadata.finalizers, undefined);
      assert.deepEqual(await cluster.secretGuards('clouds'), ['openstack.k-orc.cloud/domain']);
      await cluster.client.patch(Secret, at('clouds'), 'merge', { data: clouds().data });
      await cluster.clock.settle();
      assert.equal(await cluster.progressing(Domain, 'default'), upToDate);
    });
  }

  test('uses endpoint_type, ignores interface, and discovers the version of an auth_url without one', async () => {
    keystone.bootstrap({ password: 'first', publicUrl: 'http://public.example/v3' });
    const entry = { endpoint_type: undefined, interface: 'internal' };
    await cluster.client.patch(Secret, at('clouds'), 'merge', {
      data: clouds(cloudsYaml({ auth_url: 'http://keystone.default.svc:5000' }, entry)).data,
    });
    await cluster.client.create(Domain, domain());
    await cluster.clock.advance(seconds(1));
    assert.ok(keystone.requests.includes('GET /'));
    // The list at the public endpoint fails, which is treated as empty.
    const waiting = 'True Progressing: Waiting for OpenStack resource to be created externally';
    assert.equal(await cluster.progressing(Domain, 'default'), waiting);
  });

  test('gives up on a creation when the password of its authenticated client was changed', async () => {
    await cluster.client.create(Domain, domain());
    await cluster.clock.settle();
    keystone.bootstrap({ password: 'second' });
    await cluster.client.create(Service, service({ name: 'nova', type: 'compute' }));
    await cluster.clock.settle();
    assert.match(
      (await cluster.progressing(Service, 'identity')) ?? '',
      /^False InvalidConfiguration: .*re-authenticate/,
    );
  });

  test('caches the catalog of a login for half the lifetime of its token, unless the entry changes or K-ORC restarts', async () => {
    const { client, clock } = cluster;
    const { endpoints } = keystone.state.resources;
    const [internal] = [...endpoints.values()].filter((each) => each['interface'] === 'internal');
    assert.ok(internal);
    endpoints.delete(internal.id);
    await client.create(Domain, domain());
    await clock.advance(seconds(1));
    const lacking = 'True TransientError: No suitable endpoint could be found in the service catalog.';
    assert.equal(await cluster.progressing(Domain, 'default'), lacking);
    endpoints.set(internal.id, internal);
    await clock.advance(minutes(25));
    assert.equal(await cluster.progressing(Domain, 'default'), lacking);
    await clock.advance(minutes(25));
    assert.equal(await cluster.progressing(Domain, 'default'), upToDate);

    await clock.advance(minutes(60));
    endpoints.delete(internal.id);
    const again = { ...domain(), metadata: at('again') };
    await client.create(Domain, again);
    await clock.advance(seconds(1));
    assert.equal(await cluster.progressing(Domain, 'again'), lacking);
    endpoints.set(internal.id, internal);
    await client.patch(Secret, at('clouds'), 'merge', {
      data: clouds(cloudsYaml({}, { identity_api_version: 3 })).data,
    });
    await clock.settle();
    assert.equal(await cluster.progressing(Domain, 'again'), upToDate);
  });

  test('is shared by all objects with the same entry', async () => {
    await cluster.mint();
    await cluster.client.create(Service, service());
    await cluster.clock.settle();
    assert.equal(keystone.requests.filter((request) => request === 'POST /v3/auth/tokens').length, 1);
  });
});
