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
    credentials: async () => [],
  };
  return { api, seen };
}

const byCredential = (secret: string) => ({ id: 'c1', secret: new SecretValue(secret) });

test('an accepted application credential is not tried again for ten minutes, another secret is', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  for (const secret of ['a', 'a', 'b'])
    assert.equal(await client.logIn(address, byCredential(secret), signal), 'accepted');
  assert.equal(seen.logins, 2);
  await clock.advance(minutes(10));
  await client.logIn(address, byCredential('a'), signal);
  assert.equal(seen.logins, 3);
});

test('one that nobody answered for is not tried again for a minute', async () => {
  const clock = virtualClock();
  const { api, seen } = counted();
  const client = rememberedLogins(api, clock);
  seen.result = 'unavailable';
  await client.logIn(address, byCredential('a'), signal);
  seen.result = 'accepted';
  assert.equal(await client.logIn(address, byCredential('a'), signal), 'unavailable');
  await clock.advance(minutes(1));
  assert.equal(await client.logIn(address, byCredential('a'), signal), 'accepted');
});

test('what is refused, and every login by password, is tried each time', async () => {
  const { api, seen } = counted();
  const client = rememberedLogins(api, virtualClock());
  seen.result = 'refused';
  for (let count = 0; count < 3; count += 1) {
    assert.equal(await client.logIn(address, byCredential('a'), signal), 'refused');
  }
  seen.result = 'unavailable';
  for (let count = 0; count < 2; count += 1) await client.logIn(address, { password: new SecretValue('p') }, signal);
  assert.equal(seen.logins, 5);
});
