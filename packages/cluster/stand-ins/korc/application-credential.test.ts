// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential, Domain, Service } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { at, available, korcCluster, upToDate, type KorcCluster } from '../test/korc-cluster.ts';
import { applicationCredential, clouds, cloudsYaml, domain, service } from '../test/korc-objects.ts';
import type { FakeKeystone } from './fake-keystone.ts';

describe('an ApplicationCredential of K-ORC', () => {
  let cluster: KorcCluster;
  let keystone: FakeKeystone;

  beforeEach(async () => {
    cluster = await korcCluster();
    ({ keystone } = cluster);
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  test('sends access rules with the type of the Service that they refer to', async () => {
    await cluster.client.create(Service, { ...service(), metadata: at('keystone') });
    await cluster.mint({ accessRules: [{ path: '/v3/users', method: 'GET', serviceRef: 'keystone' }] });
    const [credential] = keystone.state.credentials.values();
    const rules = [{ path: '/v3/users', method: 'GET', service: 'identity' }];
    assert.deepEqual(credential?.shown['access_rules'], rules);
    const { status } = await cluster.client.get(ApplicationCredential, at('credential'));
    assert.deepEqual(status?.resource?.accessRules, rules);
  });

  test('is restricted unless its spec sets unrestricted', async () => {
    await cluster.mint();
    const [credential] = keystone.state.credentials.values();
    assert.equal(credential?.shown['unrestricted'], false);
  });

  test('is imported by its id, whichever user it belongs to', async () => {
    const id = '0123456789abcdef0123456789abcdef';
    keystone.state.resources.users.set('u2', { id: 'u2', name: 'somebody', domain_id: 'default', enabled: true });
    keystone.state.credentials.set(id, { userId: 'u2', secret: 'x', shown: { id, name: 'theirs' } });
    const { metadata, apiVersion, kind, spec } = applicationCredential();
    const { cloudCredentialsRef } = spec;
    const imported = { cloudCredentialsRef, managementPolicy: 'unmanaged', import: { id } } as const;
    await cluster.client.create(ApplicationCredential, { apiVersion, kind, metadata, spec: imported });
    await cluster.clock.settle();
    const { status } = await cluster.client.get(ApplicationCredential, at('credential'));
    assert.deepEqual([status?.id, status?.resource?.name], [id, 'theirs']);
  });

  test('reads the secret of a credential once, and adopts one of the same name, whatever its secret', async () => {
    await cluster.mint();
    const minted = [...keystone.state.credentials.values()];
    await cluster.client.patch(Secret, at('mint'), 'merge', { data: { value: btoa('other') } });
    // The object is deleted without a revocation.
    await cluster.client.patch(ApplicationCredential, at('credential'), 'merge', { metadata: { finalizers: null } });
    await cluster.client.delete(ApplicationCredential, at('credential'));
    await cluster.clock.settle();
    await cluster.client.create(ApplicationCredential, applicationCredential());
    await cluster.clock.settle();
    assert.equal(await cluster.condition('Available', ApplicationCredential, at('credential')), available);
    assert.deepEqual([...keystone.state.credentials.values()], minted);
    const loginStatus = await loginWith(
      (await cluster.client.get(ApplicationCredential, at('credential'))).status?.id ?? '',
      'other',
    );
    assert.match(loginStatus, /got 401/);
  });

  /** The condition of a Domain that logs in with an application credential. */
  async function loginWith(id: string, value: string): Promise<string> {
    const auth = { application_credential_id: id, application_credential_secret: value };
    await cluster.client.create(Secret, clouds(cloudsYaml(auth), 'by-credential'));
    const spec = { ...domain().spec, cloudCredentialsRef: { secretName: 'by-credential', cloudName: 'admin' } };
    await cluster.client.create(Domain, { ...domain(spec), metadata: at('by-credential') });
    await cluster.clock.advance(seconds(1));
    return (await cluster.progressing(Domain, 'by-credential')) ?? '';
  }

  test('fails permanently when the credential exists with another description', async () => {
    await cluster.mint();
    await cluster.client.patch(ApplicationCredential, at('credential'), 'merge', { metadata: { finalizers: null } });
    await cluster.client.delete(ApplicationCredential, at('credential'));
    await cluster.client.create(ApplicationCredential, applicationCredential({ description: 'another' }));
    await cluster.clock.settle();
    const failed = await cluster.condition('Progressing', ApplicationCredential, at('credential'));
    assert.match(failed ?? '', /^False InvalidConfiguration: .*got 409/);
  });

  test('does not detect that a credential was deleted, and creates it again with the current value when its spec changes', async () => {
    await cluster.mint();
    keystone.state.credentials.clear();
    await cluster.clock.advance(minutes(60));
    assert.equal(await cluster.condition('Available', ApplicationCredential, at('credential')), available);
    await cluster.client.patch(Secret, at('mint'), 'merge', { data: { value: btoa('current') } });
    await cluster.client.patch(ApplicationCredential, at('credential'), 'merge', {
      spec: { managedOptions: { onDelete: 'delete' } },
    });
    await cluster.clock.settle();
    assert.deepEqual(
      [...keystone.state.credentials.values()].map(({ secret: value }) => value),
      ['current'],
    );
    assert.equal(await loginWith([...keystone.state.credentials.keys()][0] ?? '', 'current'), upToDate);
  });
});
