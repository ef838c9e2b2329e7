// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import type { CredentialLogin, IdentityAddress, IdentityApi } from './identity-api.ts';

/** An application credential that was accepted is tried again after this time. */
export const loginRecheck = minutes(10);

// Forgetting one costs a login.
const remembered = 4096;

/** The client with accepted logins by application credential remembered: whoever is woken need not log in each time. */
export function rememberedLogins<A extends IdentityApi>(api: A, clock: Clock): A {
  const accepted = boundedMap<number>(remembered);
  return {
    ...api,
    async logIn(address, login, signal) {
      if (!('id' in login)) return await api.logIn(address, login, signal);
      const key = keyOf(address, login);
      if (clock.now() < (accepted.get(key) ?? 0)) return 'accepted';
      const result = await api.logIn(address, login, signal);
      if (result === 'accepted') accepted.set(key, clock.now() + loginRecheck);
      return result;
    },
  };
}

function keyOf({ url }: IdentityAddress, { id, secret }: CredentialLogin): string {
  return createHash('sha256')
    .update(JSON.stringify([url, id, secret.reveal()]))
    .digest('hex');
}
