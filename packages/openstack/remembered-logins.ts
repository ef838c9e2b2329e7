// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { expiringMemo } from '@forge/runtime/collections/expiring-memo.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/environment/duration.ts';
import { IdentityError, type IdentityApi, type LoginResult } from './identity-api.ts';

/** When an accepted login is tried again. */
export const loginRecheck = minutes(10);

/**
 * When a failed login is tried again: a hanging Keystone must not delay every reconcile. Each further refusal doubles
 * it, up to that of an accepted login: a wrong password must not lock the account.
 */
export const failureRecheck = minutes(1);

// An evicted result costs a login.
const maxRemembered = 4096;

/** A result, and when to ask again. */
interface RecentLogin {
  readonly result: LoginResult;
  readonly recheck: Duration;
}

type Login = Parameters<IdentityApi['logIn']>;

/** Logins that may return an earlier result, as long as `state`, on which the result depends, is the same. */
export interface RecentLogins {
  /** Like `logIn`; the result may be ten minutes old, or one minute when it is a first failure. */
  recentLogIn(...login: [...Login, state?: string | undefined]): Promise<RecentLogin>;
  /** Like `logIn`; a refusal may be as old as that of `recentLogIn`. */
  retryLogIn(...login: [...Login, state?: string | undefined]): Promise<RecentLogin>;
}

/** The last result, in which state, and the number of consecutive refusals. */
interface KnownLogin {
  readonly result: LoginResult;
  readonly state: string | undefined;
  readonly refusals: number;
}

/**
 * The client with a cache of login results: not every reconcile logs in, and a refused login is not repeated at once.
 */
export function rememberedLogins<A extends IdentityApi>(api: A, clock: Clock): A & RecentLogins {
  const known = expiringMemo({ clock, size: maxRemembered, holdsFor: recheckAfter });
  const note = (key: string, result: LoginResult, state: string | undefined): RecentLogin => {
    const last = known.last(key)?.value;
    const before = last?.state === state ? (last?.refusals ?? 0) : 0;
    const login = { result, state, refusals: result === 'refused' ? before + 1 : 0 };
    known.set(key, login);
    return { result, recheck: recheckAfter(login) };
  };
  const answer = async (login: Login, state: string | undefined, isValid: (result: LoginResult) => boolean) => {
    const key = keyOf(login);
    const { value: last, left = 0 } = known.last(key) ?? {};
    if (last !== undefined && left > 0 && last.state === state && isValid(last.result))
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
        if (error instanceof IdentityError && error.status === 401) note(key, 'refused', known.last(key)?.value.state);
        throw error;
      }
    },
    recentLogIn: (address, login, signal, state) => answer([address, login, signal], state, () => true),
    retryLogIn: (address, login, signal, state) =>
      answer([address, login, signal], state, (result) => result === 'refused'),
  };
}

function recheckAfter({ result, refusals }: KnownLogin): Duration {
  if (result === 'accepted') return loginRecheck;
  return milliseconds(Math.min(failureRecheck * 2 ** Math.max(0, refusals - 1), loginRecheck));
}

function keyOf([{ url }, login]: Login | Parameters<IdentityApi['administrator']>): string {
  const [id, secret] = 'id' in login ? [login.id, login.secret] : ['', login.password];
  return createHash('sha256')
    .update(JSON.stringify([url, id, secret.reveal()]))
    .digest('hex');
}
