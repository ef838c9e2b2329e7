// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { adminPassword, authUrl, clouds, cloudsYaml, host } from '../test/korc-objects.ts';
import { cloudOf } from './clouds-yaml.ts';
import { fakeKeystones, type FakeKeystone, type FakeKeystones } from './fake-keystone.ts';
import { identityOf, logIn, type Identity } from './identity.ts';

/** Creates an application credential; returns the body of a login with it. */
async function mint(identity: Identity, fields: JsonObject = {}): Promise<{ id: string; auth: object }> {
  const body = { application_credential: { name: 'a', secret: 's', ...fields } };
  const created = await identity.call('POST', `users/${identity.userId}/application_credentials`, body);
  const { id } = created['application_credential'] as { id: string };
  return { id, auth: { application_credential_id: id, application_credential_secret: 's' } };
}

describe('a Keystone in memory', () => {
  const { signal } = new AbortController();
  let clock: VirtualClock;
  let keystones: FakeKeystones;
  let keystone: FakeKeystone;

  beforeEach(() => {
    clock = virtualClock();
    keystones = fakeKeystones();
    keystone = keystones.at(host);
    keystone.bootstrap({ password: adminPassword });
  });

  async function login(auth: object = {}): Promise<Identity> {
    const cloud = cloudOf(clouds(cloudsYaml(auth)), 'admin');
    const options = { http: keystones.reachedBy(clock), signal };
    return identityOf(await logIn(cloud, options), cloud, options);
  }

  const get = (url: string) => keystones.reachedBy(clock).send({ method: 'GET', url, deadline: seconds(10), signal });

  test('accepts logins of the administrator by password and by application credential, and refuses wrong ones', async () => {
    const admin = await login();
    const { auth } = await mint(admin);
    assert.equal((await login(auth)).userId, admin.userId);
    await assert.rejects(login({ password: 'wrong' }), { status: 401 });
    await assert.rejects(login({ ...auth, application_credential_secret: 'wrong' }), { status: 401 });
    await assert.rejects(login({ username: 'nobody' }), { status: 401 });
  });

  test('responds with 404 to the login with a revoked application credential, and to its unexpired tokens', async () => {
    const admin = await login();
    const { id, auth } = await mint(admin);
    const session = await login(auth);
    await session.call('GET', 'services');
    await admin.call('DELETE', `users/${admin.userId}/application_credentials/${id}`);
    await assert.rejects(session.call('GET', 'services'), { status: 404, message: /Application Credential/ });
    await assert.rejects(login(auth), { status: 404, message: /Application Credential/ });
  });

  test('allows only the owner to create credentials; a restricted credential can neither create nor revoke any', async () => {
    const admin = await login();
    const { user } = await admin.call('POST', 'users', { user: { name: 'other', password: 'p' } });
    const { id: otherId } = user as { id: string };
    const body = { application_credential: { name: 'b', secret: 's' } };
    await assert.rejects(admin.call('POST', `users/${otherId}/application_credentials`, body), { status: 403 });
    const { id, auth } = await mint(admin);
    const restricted = await login(auth);
    const own = `users/${admin.userId}/application_credentials`;
    await assert.rejects(restricted.call('POST', own, body), { status: 403 });
    await assert.rejects(restricted.call('DELETE', `${own}/${id}`), { status: 403 });
    const unrestricted = await login((await mint(admin, { name: 'c', unrestricted: true })).auth);
    await unrestricted.call('POST', own, body);
    const other = await login({ username: 'other', password: 'p' });
    await assert.rejects(other.call('GET', 'services'), { status: 403 });
  });

  test('has unique names of users, domains and credentials, but not of services', async () => {
    const admin = await login();
    await mint(admin);
    await assert.rejects(mint(admin), { status: 409 });
    await assert.rejects(admin.call('POST', 'domains', { domain: { name: 'Default' } }), { status: 409 });
    await assert.rejects(admin.call('POST', 'users', { user: { name: 'admin' } }), { status: 409 });
    await admin.call('POST', 'services', { service: { name: 'keystone', type: 'identity' } });
  });

  test('deletes endpoints with their service and credentials with their user, and refuses to delete an enabled domain', async () => {
    const admin = await login();
    const [service] = keystone.state.resources.services.values();
    await admin.call('DELETE', `services/${service?.id ?? ''}`);
    assert.equal(keystone.state.resources.endpoints.size, 0);
    await mint(admin);
    await assert.rejects(admin.call('DELETE', 'domains/default'), { status: 403 });
    await admin.call('DELETE', `users/${admin.userId}`);
    assert.equal(keystone.state.credentials.size, 0);
  });

  test('ends the sessions of a user when the password changes, and expires tokens after an hour', async () => {
    const admin = await login();
    const before = keystone.requests.length;
    await clock.advance(minutes(61));
    await admin.call('GET', 'services');
    assert.deepEqual(keystone.requests.slice(before), [
      'GET /v3/services',
      'POST /v3/auth/tokens',
      'GET /v3/auth/tokens',
      'GET /v3/services',
    ]);
    keystone.bootstrap({ password: 'second' });
    await assert.rejects(admin.call('GET', 'services'), /re-authenticate: .*got 401/);
  });

  test('is bootstrapped once: a second bootstrap changes only the password and the URLs', async () => {
    const { resources } = keystone.state;
    const sizes = () => Object.values(resources).map(({ size }) => size);
    const before = sizes();
    keystone.bootstrap({ password: 'second', publicUrl: 'https://id.example/v3' });
    assert.deepEqual(sizes(), before);
    assert.deepEqual(
      [...resources.endpoints.values()].map((each) => each['url']),
      ['https://id.example/v3', authUrl, authUrl],
    );
  });

  test('can be down, hung, slow, without its database, or at an unknown host', async () => {
    keystone.health = 'down';
    await assert.rejects(login(), /ECONNREFUSED/);
    keystone.health = 'without database';
    assert.equal((await get(authUrl)).status, 200);
    await assert.rejects(login(), { status: 500 });
    keystone.health = 'hung';
    const hung = assert.rejects(login(), /timed out after 60 s/);
    await clock.advance(seconds(60));
    await hung;
    keystone.health = 'up';
    keystone.latency = seconds(3);
    let isAnswered = false;
    const slow = get(authUrl).then(() => (isAnswered = true));
    await clock.advance(seconds(2));
    assert.equal(isAnswered, false);
    await clock.advance(seconds(1));
    await slow;
    await assert.rejects(get('http://other.default.svc:5000/v3'), /cannot be resolved/);
  });
});
