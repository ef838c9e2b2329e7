// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/time/duration.ts';
import { IdentityError, type IdentityApi, type LoginResult } from './identity-api.ts';

/** A login that was accepted is tried again after this time. */
export const loginRecheck = minutes(10);

/**
 * One that failed: a hanging Keystone must not hold up every pass. Each refusal in a row doubles it, up to the time of an
 * accepted one: a wrong password must not lock the account.
 */
export const failureRecheck = minutes(1);

// Forgetting one costs a login.
const remembered = 4096;

/** An answer, and how long it still counts: whoever relies on it asks again then. */
interface RecentLogin {
  readonly result: LoginResult;
  readonly recheck: Duration;
}

type Login = Parameters<IdentityApi['logIn']>;

/** Logins of which an earlier answer will do, as long as `state` is the same: that on which the answer depends. */
export interface RecentLogins {
  /** As `logIn`; the answer may be ten minutes old, or a minute when it is a first failure. */
  recentLogIn(...login: [...Login, state?: string | undefined]): Promise<RecentLogin>;
  /** As `logIn`; only a refusal may be as old as there. */
  retryLogIn(...login: [...Login, state?: string | undefined]): Promise<RecentLogin>;
}

/** The last answer, until when it counts and in which state, and how often in a row it was a refusal. */
interface KnownLogin {
  readonly result: LoginResult;
  readonly until: number;
  readonly state: string | undefined;
  readonly refusals: number;
}

/** The client with a memory of logins: whoever is woken need not log in each time, and nobody tries what was just refused. */
export function rememberedLogins<A extends IdentityApi>(api: A, clock: Clock): A & RecentLogins {
  const known = boundedMap<KnownLogin>(remembered);
  const note = (key: string, result: LoginResult, state: string | undefined): RecentLogin => {
    const last = known.get(key);
    const before = last?.state === state ? (last?.refusals ?? 0) : 0;
    const refusals = result === 'refused' ? before + 1 : 0;
    const recheck = result === 'accepted' ? loginRecheck : afterFailure(refusals);
    known.set(key, { result, state, refusals, until: clock.monotonic() + recheck });
    return { result, recheck };
  };
  const answer = async (login: Login, state: string | undefined, counts: (result: LoginResult) => boolean) => {
    const key = keyOf(login);
    const last = known.get(key);
    const left = (last?.until ?? 0) - clock.monotonic();
    if (last !== undefined && left > 0 && last.state === state && counts(last.result))
      return { result: last.result, recheck: milliseconds(Math.ceil(left)) };
    return note(key, await api.logIn(...login), state);
  };
  return {
    ...api,
    async administrator(...login) {
      try {
        return await api.administrator(...login);
      } catch (error) {
        const key = keyOf(login);
        if (error instanceof IdentityError && error.status === 401) note(key, 'refused', known.get(key)?.state);
        throw error;
      }
    },
    recentLogIn: (address, login, signal, state) => answer([address, login, signal], state, () => true),
    retryLogIn: (address, login, signal, state) =>
      answer([address, login, signal], state, (result) => result === 'refused'),
  };
}

function afterFailure(refusals: number): Duration {
  return milliseconds(Math.min(failureRecheck * 2 ** Math.max(0, refusals - 1), loginRecheck));
}

function keyOf([{ url }, login]: Login | Parameters<IdentityApi['administrator']>): string {
  const [id, secret] = 'id' in login ? [login.id, login.secret] : ['', login.password];
  return createHash('sha256')
    .update(JSON.stringify([url, id, secret.reveal()]))
    .digest('hex');
}
