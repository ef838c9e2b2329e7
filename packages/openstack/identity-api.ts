// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/time/duration.ts';
import type { ServicePort, ServiceProxy } from './service-proxy.ts';

/** Where the identity API is: its URL, and its Service where the name of that does not resolve. */
interface IdentityAddress {
  readonly url: string;
  readonly service: ServicePort;
}

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

/** `refused`: by Keystone, whatever is tried again; `unavailable`: nobody answered who could know. */
export type LoginResult = 'accepted' | 'refused' | 'unavailable';

/** The administrator as Keystone knows them. */
interface Administrator {
  readonly id: string;
  readonly credentials: readonly ListedCredential[];
}

/** What operators ask Keystone. */
export interface IdentityApi {
  /** Whether Keystone lets somebody in. Never throws for what the network or Keystone does. */
  logIn(address: IdentityAddress, login: PasswordLogin | CredentialLogin, signal: AbortSignal): Promise<LoginResult>;
  /** The administrator, with their application credentials. Throws an IdentityError or an HttpError. */
  administrator(address: IdentityAddress, login: PasswordLogin, signal: AbortSignal): Promise<Administrator>;
}

/** What operators change in Keystone. */
export interface IdentityActions {
  /** Revokes an application credential of the administrator; one that is gone is no error. Throws as `administrator`. */
  revoke(address: IdentityAddress, login: PasswordLogin, id: string, signal: AbortSignal): Promise<void>;
}

/** A response of Keystone that is none that was hoped for; without its body, which may quote the request. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';

  readonly status: number;

  constructor(asked: string, status: number) {
    super(`${asked}: Keystone answered ${status}`);
    this.status = status;
  }
}

interface IdentityApiOptions {
  http: Pick<HttpClient, 'send'>;
  clock: Clock;
  /** Where the name of the Service does not resolve. Default: then it is not reached. */
  proxy?: ServiceProxy;
}

interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the URL of the address. */
  readonly path: string;
  readonly token?: SecretValue;
  readonly body?: JsonObject;
}

interface Answer {
  readonly status: number;
  readonly token: string | undefined;
  readonly body: unknown;
}

/** For all requests of a call together. */
const callTimeout = seconds(10);
const tokenHeader = 'x-subject-token';

/** A client for the identity API on an HTTP client. */
export function identityApi({ http, clock, proxy }: IdentityApiOptions): IdentityApi & IdentityActions {
  /** One call of this client: all of its requests share a deadline. */
  function call({ url, service }: IdentityAddress, signal: AbortSignal) {
    const end = clock.monotonic() + callTimeout;
    const deadline = () => milliseconds(Math.max(0, end - clock.monotonic()));

    async function direct({ method, path, token, body }: Asked): Promise<Answer> {
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { 'x-auth-token': token }),
      };
      const response = await http.send({
        method,
        url: `${url}${path}`,
        headers,
        ...content,
        deadline: deadline(),
        signal,
      });
      const subject = response.headers[tokenHeader];
      return {
        status: response.status,
        token: typeof subject === 'string' ? subject : undefined,
        body: jsonIn(response.body.toString()),
      };
    }

    async function proxied(through: ServiceProxy, { token, path, ...content }: Asked): Promise<Answer> {
      const response = await through.send(service, {
        ...content,
        path: `${new URL(url).pathname}${path}`,
        headers: token === undefined ? {} : { 'x-auth-token': token.reveal() },
        wantedHeaders: [tokenHeader],
        deadline: deadline(),
        signal,
      });
      return { status: response.status, token: response.headers?.[tokenHeader], body: response.body };
    }

    return async (asked: Asked): Promise<Answer> => {
      try {
        return await direct(asked);
      } catch (error) {
        const isUnknown = error instanceof HttpError && error.failure.kind === 'not-resolvable';
        if (proxy === undefined || !isUnknown) throw error;
        return await proxied(proxy, asked);
      }
    };
  }

  async function authenticated(address: IdentityAddress, login: PasswordLogin, signal: AbortSignal) {
    const send = call(address, signal);
    const { status, token, body } = await send(loginRequest(login));
    const { user } = isObject(body) && isObject(body['token']) ? body['token'] : {};
    if (status !== 201 || token === undefined || !isObject(user)) throw new IdentityError('POST /auth/tokens', status);
    const id = String(user['id']);
    const path = `/users/${encodeURIComponent(id)}/application_credentials`;
    return { id, path, send: (asked: Omit<Asked, 'token'>) => send({ ...asked, token: new SecretValue(token) }) };
  }

  return {
    async logIn(address, login, signal) {
      try {
        const { status } = await call(address, signal)(loginRequest(login));
        if (status === 201) return 'accepted';
        // A revoked application credential is answered with 404.
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

function loginRequest(login: PasswordLogin | CredentialLogin): Asked {
  return { method: 'POST', path: '/auth/tokens', body: { auth: authOf(login) } };
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

/** The value of a JSON text; undefined when it is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
