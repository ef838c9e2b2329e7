// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import type { CredentialLogin, IdentityAddress, IdentityApi, LoginResult } from './identity-api.ts';

/** An application credential that was accepted is tried again after this time. */
export const loginRecheck = minutes(10);

/** One that nobody could answer for: a hanging Keystone must not hold up every pass. */
const unavailableRecheck = minutes(1);

// Forgetting one costs a login.
const remembered = 4096;

/** The client with logins by application credential remembered, unless refused: whoever is woken need not log in each time. */
export function rememberedLogins<A extends IdentityApi>(api: A, clock: Clock): A {
  const known = boundedMap<{ result: LoginResult; until: number }>(remembered);
  return {
    ...api,
    async logIn(address, login, signal) {
      if (!('id' in login)) return await api.logIn(address, login, signal);
      const key = keyOf(address, login);
      const last = known.get(key);
      if (last !== undefined && clock.monotonic() < last.until) return last.result;
      const result = await api.logIn(address, login, signal);
      const until = clock.monotonic() + (result === 'accepted' ? loginRecheck : unavailableRecheck);
      if (result !== 'refused') known.set(key, { result, until });
      return result;
    },
  };
}

function keyOf({ url }: IdentityAddress, { id, secret }: CredentialLogin): string {
  return createHash('sha256')
    .update(JSON.stringify([url, id, secret.reveal()]))
    .digest('hex');
}
