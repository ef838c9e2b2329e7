// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { IdentityError, type IdentityApi, type LoginResult } from './identity-api.ts';
import { rememberedLogins } from './remembered-logins.ts';

const address = {
  url: 'http://cp-keystone.openstack.svc:5000/v3',
  service: { namespace: 'openstack', name: 'cp-keystone', port: 5000 },
};
const { signal } = new AbortController();

/** A client with a settable result, which counts logins. */
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

test('an accepted application credential is not tried again for ten minutes, unless the secret changes', async () => {
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

test('a login that was unavailable is not tried again for a minute', async () => {
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

test('a refused login is not tried again for a minute, neither by credential nor by password', async () => {
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

test('repeated refusals back off up to ten minutes, and a success resets the backoff', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  seen.result = 'refused';
  const next = async () => {
    const { recheck } = await client.recentLogIn(address, byCredential('a'), signal);
    await clock.advance(recheck);
    return recheck / minutes(1);
  };
  const waits = [await next(), await next(), await next(), await next(), await next(), await next()];
  assert.deepEqual(waits, [1, 2, 4, 8, 10, 10]);
  seen.result = 'accepted';
  await next();
  seen.result = 'unavailable';
  assert.deepEqual([await next(), await next()], [1, 1]);
  seen.result = 'refused';
  assert.equal(await next(), 1);
});

test('a retry asks Keystone, unless it recently refused the login in the same state', async () => {
  const { api, seen } = counted();
  const client = rememberedLogins(api, virtualClock());
  const retry = async (state: string) => (await client.retryLogIn(address, byCredential('a'), signal, state)).result;
  assert.deepEqual([await retry('one'), await retry('one'), seen.logins], ['accepted', 'accepted', 2]);
  seen.result = 'unavailable';
  assert.deepEqual([await retry('one'), await retry('one'), seen.logins], ['unavailable', 'unavailable', 4]);
  seen.result = 'refused';
  assert.deepEqual([await retry('one'), await retry('one'), seen.logins], ['refused', 'refused', 5]);
  assert.deepEqual([await retry('two'), seen.logins], ['refused', 6]);
});

test('a new state makes earlier results invalid and resets the backoff', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  const recent = (state: string) => client.recentLogIn(address, byCredential('a'), signal, state);
  await recent('one');
  seen.result = 'refused';
  assert.equal((await recent('one')).result, 'accepted');
  for (const expected of [1, 2]) {
    const { result, recheck } = await recent('two');
    assert.deepEqual([result, recheck], ['refused', minutes(expected)]);
    await clock.advance(recheck);
  }
  assert.equal((await recent('three')).recheck, minutes(1));
});

test('a password that is refused by another call is remembered as refused', async () => {
  const { api, seen } = counted();
  const password = new SecretValue('p');
  const refusing: IdentityApi = { ...api, administrator: () => Promise.reject(new IdentityError('refused', 401)) };
  const client = rememberedLogins(refusing, virtualClock());
  assert.equal((await client.recentLogIn(address, { password }, signal, 'one')).result, 'accepted');
  await assert.rejects(client.administrator(address, { password }, signal));
  assert.equal((await client.recentLogIn(address, { password }, signal, 'one')).result, 'refused');
  assert.equal(seen.logins, 1);
});

test('a result is valid from the login on, not from the last query', async () => {
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

test('a result is not used for another Keystone or another credential', async () => {
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

test('logIn asks Keystone each time', async () => {
  const { api, seen } = counted();
  const client = rememberedLogins(api, virtualClock());
  for (let count = 0; count < 3; count += 1) await client.logIn(address, byCredential('a'), signal);
  assert.equal(seen.logins, 3);
});
