// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import type { IdentityApi, LoginResult } from './identity-api.ts';
import { rememberedLogins } from './remembered-logins.ts';

const address = {
  url: 'http://cp-keystone.openstack.svc:5000/v3',
  service: { namespace: 'openstack', name: 'cp-keystone', port: 5000 },
};
const { signal } = new AbortController();

/** A client that answers so, and the number of its logins. */
function counted() {
  const seen = { result: 'accepted' as LoginResult, logins: 0 };
  const api: IdentityApi = {
    async logIn() {
      seen.logins += 1;
      return seen.result;
    },
    administrator: async () => ({ id: 'u1', credentials: [] }),
  };
  return { api, seen };
}

const byCredential = (secret: string) => ({ id: 'c1', secret: new SecretValue(secret) });

test('an accepted application credential is not tried again for ten minutes, another secret is', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  for (const secret of ['a', 'a', 'b'])
    assert.equal((await client.recentLogIn(address, byCredential(secret), signal)).result, 'accepted');
  assert.equal(seen.logins, 2);
  await clock.advance(minutes(10));
  await client.recentLogIn(address, byCredential('a'), signal);
  assert.equal(seen.logins, 3);
});

test('one that nobody answered for is not tried again for a minute', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  seen.result = 'unavailable';
  await client.recentLogIn(address, byCredential('a'), signal);
  seen.result = 'accepted';
  assert.equal((await client.recentLogIn(address, byCredential('a'), signal)).result, 'unavailable');
  await clock.advance(minutes(1));
  assert.equal((await client.recentLogIn(address, byCredential('a'), signal)).result, 'accepted');
});

test('one that is refused is not tried again for a minute, by password either', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  seen.result = 'refused';
  const byPassword = { password: new SecretValue('p') };
  for (const login of [byCredential('a'), byPassword, byCredential('a'), byPassword])
    assert.equal((await client.recentLogIn(address, login, signal)).result, 'refused');
  assert.equal(seen.logins, 2);
  await clock.advance(minutes(1));
  await client.recentLogIn(address, byPassword, signal);
  assert.equal(seen.logins, 3);
});

test('an answer tells how long it counts, from the login on and not from the last question', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  const recheck = async () => (await client.recentLogIn(address, byCredential('a'), signal)).recheck;
  assert.equal(await recheck(), minutes(10));
  await clock.advance(minutes(7));
  assert.equal(await recheck(), minutes(3));
  await clock.advance(minutes(3));
  seen.result = 'refused';
  assert.equal(await recheck(), minutes(1));
});

test('what one Keystone answered is not taken for the answer of another, nor for that to another credential', async () => {
  const { api, seen } = counted();
  const client = rememberedLogins(api, virtualClock());
  const elsewhere = { ...address, url: 'http://cp-keystone.other.svc:5000/v3' };
  await client.recentLogIn(address, byCredential('a'), signal);
  seen.result = 'refused';
  assert.equal((await client.recentLogIn(elsewhere, byCredential('a'), signal)).result, 'refused');
  assert.equal((await client.recentLogIn(address, { ...byCredential('a'), id: 'c2' }, signal)).result, 'refused');
  assert.equal((await client.recentLogIn(address, { password: new SecretValue('a') }, signal)).result, 'refused');
  assert.equal((await client.recentLogIn(address, byCredential('a'), signal)).result, 'accepted');
});

test('whoever wants to know it now is answered each time', async () => {
  const { api, seen } = counted();
  const client = rememberedLogins(api, virtualClock());
  for (let count = 0; count < 3; count += 1) await client.logIn(address, byCredential('a'), signal);
  assert.equal(seen.logins, 3);
});
