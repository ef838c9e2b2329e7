// SPDX-License-Identifier: Apache-2.0
import {
  IdentityError,
  type IdentityActions,
  type IdentityApi,
  type PasswordLogin,
} from '@forge/openstack/identity-api.ts';

/** An application credential that the scripted Keystone holds. */
interface HeldCredential {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** The identity API as far as the operator asks it, scripted. */
export interface FakeIdentity extends IdentityApi, IdentityActions {
  /** Whether it answers. */
  isUp: boolean;
  /** The administrator's password. */
  password: string;
  /** The administrator's application credentials. */
  held: HeldCredential[];
}

/** One that answers and holds no credential. */
export function fakeIdentity(password: string): FakeIdentity {
  function check(login: PasswordLogin): void {
    if (!identity.isUp) throw new IdentityError('POST /auth/tokens', 503);
    if (login.password.reveal() !== identity.password) throw new IdentityError('POST /auth/tokens', 401);
  }

  const identity: FakeIdentity = {
    isUp: true,
    password,
    held: [],
    async logIn(_, login) {
      if (!identity.isUp) return 'unavailable';
      const isKnown =
        'id' in login
          ? identity.held.some(({ id, secret }) => id === login.id && secret === login.secret.reveal())
          : login.password.reveal() === identity.password;
      return isKnown ? 'accepted' : 'refused';
    },
    async credentials(_, login) {
      check(login);
      return identity.held.map(({ id, name }) => ({ id, name }));
    },
    async revoke(_, login, revoked) {
      check(login);
      identity.held = identity.held.filter(({ id }) => id !== revoked);
    },
  };
  return identity;
}
