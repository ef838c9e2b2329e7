// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/time/duration.ts';
import type { CredentialLogin, IdentityAddress, IdentityApi, LoginResult, PasswordLogin } from './identity-api.ts';

/** A login that was accepted is tried again after this time. */
export const loginRecheck = minutes(10);

/** One that failed: a hanging Keystone must not hold up every pass, nor a wrong password lock the account. */
export const failureRecheck = minutes(1);

// Forgetting one costs a login.
const remembered = 4096;

/** An answer, and how long it still counts: whoever relies on it asks again then. */
interface RecentLogin {
  readonly result: LoginResult;
  readonly recheck: Duration;
}

/** Logins of which an earlier answer will do. */
export interface RecentLogins {
  /** As `logIn`; the answer may be ten minutes old, or a minute when it is a failure. */
  recentLogIn(...login: Parameters<IdentityApi['logIn']>): Promise<RecentLogin>;
}

/** The client with a memory of logins: whoever is woken need not log in each time. */
export function rememberedLogins<A extends IdentityApi>(api: A, clock: Clock): A & RecentLogins {
  const known = boundedMap<{ result: LoginResult; until: number }>(remembered);
  return {
    ...api,
    async recentLogIn(address, login, signal) {
      const key = keyOf(address, login);
      const last = known.get(key);
      const left = (last?.until ?? 0) - clock.monotonic();
      if (last !== undefined && left > 0) return { result: last.result, recheck: milliseconds(Math.ceil(left)) };
      const result = await api.logIn(address, login, signal);
      const recheck = result === 'accepted' ? loginRecheck : failureRecheck;
      known.set(key, { result, until: clock.monotonic() + recheck });
      return { result, recheck };
    },
  };
}

function keyOf({ url }: IdentityAddress, login: PasswordLogin | CredentialLogin): string {
  const [id, secret] = 'id' in login ? [login.id, login.secret] : ['', login.password];
  return createHash('sha256')
    .update(JSON.stringify([url, id, secret.reveal()]))
    .digest('hex');
}
