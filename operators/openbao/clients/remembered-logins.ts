// SPDX-License-Identifier: Apache-2.0
import { expiringMemo } from '@forge/runtime/collections/expiring-memo.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Login } from './openbao-services.ts';

/** Tokens of logins, which are used again while their leases last. */
export interface RememberedLogins {
  /** The token of this login; a new one, unless an earlier one holds for a while. A login that fails is not remembered. */
  tokenOf(key: string, logIn: () => Promise<Login | undefined>): Promise<SecretValue | undefined>;
  /** Forgets it: it was refused. */
  forget(key: string): void;
}

// Forgetting one costs a login.
const size = 4096;

/** A token that has no lease is asked for again all the same: somebody may revoke it. */
const withoutLease = minutes(10);

/** A token is renewed by a new login, when two thirds of its lease are over: it must last for the calls of a pass. */
const heldFor = ({ leaseSeconds }: Login): Duration =>
  leaseSeconds > 0 ? seconds((leaseSeconds * 2) / 3) : withoutLease;

/** Remembers logins in this process. */
export function rememberedLogins(clock: Pick<Clock, 'monotonic'>): RememberedLogins {
  const known = expiringMemo<Login | undefined>({
    clock,
    size,
    holdsFor: (login) => (login === undefined ? seconds(0) : heldFor(login)),
  });
  return {
    tokenOf: async (key, logIn) => (await known.get(key, logIn))?.token,
    forget: (key) => known.set(key, undefined),
  };
}
