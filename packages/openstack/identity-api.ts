// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { callService, type ServiceAddress, type ServiceConnection, type ServiceRequest } from './call-service.ts';

/** A login as the administrator that `keystone-manage bootstrap` creates, in its project. */
interface PasswordLogin {
  readonly password: SecretValue;
}

/** A login by application credential. */
interface CredentialLogin {
  readonly id: string;
  readonly secret: SecretValue;
}

/** An application credential as Keystone lists it. */
interface ListedCredential {
  readonly id: string;
  readonly name: string;
}

/** `refused`: Keystone rejects the credentials, a retry does not help; `unavailable`: Keystone could not be asked. */
export type LoginResult = 'accepted' | 'refused' | 'unavailable';

/** The administrator's user in Keystone. */
interface Administrator {
  readonly id: string;
  readonly credentials: readonly ListedCredential[];
}

/** Calls of Keystone that change nothing. */
export interface IdentityApi {
  /** Tries a login. Does not throw for errors of the network or of Keystone. */
  logIn(address: ServiceAddress, login: PasswordLogin | CredentialLogin, signal: AbortSignal): Promise<LoginResult>;
  /** The administrator, with their application credentials. Throws an IdentityError or an HttpError. */
  administrator(address: ServiceAddress, login: PasswordLogin, signal: AbortSignal): Promise<Administrator>;
}

/** Calls of Keystone that change something. */
export interface IdentityActions {
  /** Revokes an application credential of the administrator, if it still exists. Throws like `administrator`. */
  revoke(address: ServiceAddress, login: PasswordLogin, id: string, signal: AbortSignal): Promise<void>;
}

/** An unexpected response of Keystone; without its body, which may quote the request. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';

  readonly status: number;

  constructor(asked: string, status: number) {
    super(`${asked}: Keystone answered ${status}`);
    this.status = status;
  }
}

/** The timeout of a call, for all of its requests together. */
const callTimeout = seconds(10);
const tokenHeader = 'x-subject-token';

/** A client for the identity API on an HTTP client. */
export function identityApi(connection: ServiceConnection): IdentityApi & IdentityActions {
  /** One call of this client: all of its requests share a deadline. */
  const call = (address: ServiceAddress, signal: AbortSignal) =>
    callService(connection, address, { timeout: callTimeout, signal });

  async function authenticated(address: ServiceAddress, login: PasswordLogin, signal: AbortSignal) {
    const send = call(address, signal);
    const { status, header: token, body } = await send(loginRequest(login));
    const { user } = isObject(body) && isObject(body['token']) ? body['token'] : {};
    if (status !== 201 || token === undefined || !isObject(user)) throw new IdentityError('POST /auth/tokens', status);
    const id = String(user['id']);
    const path = `/users/${encodeURIComponent(id)}/application_credentials`;
    const headers = { 'x-auth-token': new SecretValue(token) };
    return { id, path, send: (request: ServiceRequest) => send({ ...request, headers }) };
  }

  return {
    async logIn(address, login, signal) {
      try {
        const { status } = await call(address, signal)(loginRequest(login));
        if (status === 201) return 'accepted';
        // The response to a revoked application credential is 404.
        return status === 401 || status === 404 ? 'refused' : 'unavailable';
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof HttpError) return 'unavailable';
        throw error;
      }
    },

    async administrator(address, login, signal) {
      const { id: userId, path, send } = await authenticated(address, login, signal);
      const { status, body } = await send({ method: 'GET', path });
      const listed = isObject(body) ? body['application_credentials'] : undefined;
      if (status !== 200 || !Array.isArray(listed)) throw new IdentityError(`GET ${path}`, status);
      const credentials = listed.filter(isObject).map(({ id, name }) => ({ id: String(id), name: String(name) }));
      return { id: userId, credentials };
    },

    async revoke(address, login, id, signal) {
      const { path, send } = await authenticated(address, login, signal);
      const { status } = await send({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` });
      if (status !== 204 && status !== 404) throw new IdentityError(`DELETE ${path}/${id}`, status);
    },
  };
}

function loginRequest(login: PasswordLogin | CredentialLogin): ServiceRequest {
  return { method: 'POST', path: '/auth/tokens', body: { auth: authOf(login) }, wantedHeader: tokenHeader };
}

function authOf(login: PasswordLogin | CredentialLogin): JsonObject {
  if ('id' in login) {
    const credential = { id: login.id, secret: login.secret.reveal() };
    return { identity: { methods: ['application_credential'], application_credential: credential } };
  }
  const domain = { name: 'Default' };
  const user = { name: 'admin', domain, password: login.password.reveal() };
  return { identity: { methods: ['password'], password: { user } }, scope: { project: { name: 'admin', domain } } };
}
