// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Cloud } from './clouds-yaml.ts';

/** HTTP to a Keystone with these certificate authorities, in PEM: the only external effect of this stand-in. */
export type KeystoneHttp = (ca: string | undefined) => Pick<HttpClient, 'send'>;

/** An error response. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly status: number;

  constructor(asked: string, status: number, body: string) {
    super(`Error response to ${asked}: got ${status}: ${body}`);
    this.status = status;
  }
}

/** The result of a login; the catalog is not updated later. */
export interface Login {
  token: SecretValue;
  readonly userId: string;
  readonly expiresAt: number;
  readonly catalog: readonly unknown[];
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Keystone's API as an authenticated client; paths are below `/v3`. */
export interface Identity {
  /** The user who logged in. */
  readonly userId: string;
  /** The body of the response. Throws an IdentityError, or another error when there is no response. */
  call(method: Method, path: string, body?: JsonObject): Promise<JsonObject>;
}

/** How requests are sent. */
interface IdentityOptions {
  http: Pick<HttpClient, 'send'>;
  signal: AbortSignal;
}

// Go's client would wait forever.
const requestTimeout = seconds(60);

/** Logs in to the cloud; throws when that fails. */
export async function logIn(cloud: Cloud, options: IdentityOptions): Promise<Login> {
  const base = await authBase(cloud, options);
  const url = `${base}/auth/tokens`;
  const { headers, body } = await request('POST', url, { body: cloud.login }, options);
  const token = headers['x-subject-token'];
  const { user, catalog } = isObject(body['token']) ? body['token'] : {};
  if (typeof token !== 'string' || !isObject(user)) throw new Error(`POST ${url}: the response has no token`);
  const secret = new SecretValue(token);
  const checked = await request('GET', url, { token: secret, subject: secret }, options);
  const expiry = isObject(checked.body['token']) ? checked.body['token']['expires_at'] : undefined;
  return {
    token: secret,
    userId: String(user['id']),
    expiresAt: Date.parse(String(expiry)),
    catalog: Array.isArray(catalog) ? catalog : [],
  };
}

/** The URL for logins, which ends in `/v3`. */
async function authBase({ authUrl }: Cloud, options: IdentityOptions): Promise<string> {
  const url = authUrl.replace(/\/+$/, '');
  if (url.endsWith('/v3')) return url;
  // A server with several versions responds with a list of them.
  await request('GET', `${url}/`, {}, options, [200, 300]);
  return `${url}/v3`;
}

/** The client of a login; throws when its catalog has no identity endpoint for the cloud. */
export function identityOf(login: Login, cloud: Cloud, options: IdentityOptions): Identity {
  const base = endpointOf(login, cloud);
  if (base === undefined) throw new Error('No suitable endpoint could be found in the service catalog.');

  async function send(method: Method, path: string, body: JsonObject | undefined): Promise<JsonObject> {
    return (await request(method, `${base}/${path}`, { token: login.token, body }, options)).body;
  }

  return {
    userId: login.userId,
    async call(method, path, body) {
      try {
        return await send(method, path, body);
      } catch (error) {
        if (!(error instanceof IdentityError) || error.status !== 401) throw error;
      }
      try {
        login.token = (await logIn(cloud, options)).token;
      } catch (cause) {
        // Not an error response of the call itself: the status of the login is not that of the call.
        throw new Error(`unable to re-authenticate: ${messageOf(cause)}`, {
          cause,
        });
      }
      return await send(method, path, body);
    },
  };
}

function endpointOf({ catalog }: Login, cloud: Cloud): string | undefined {
  for (const service of catalog) {
    if (!isObject(service) || service['type'] !== 'identity' || !Array.isArray(service['endpoints'])) continue;
    for (const endpoint of service['endpoints'] as unknown[]) {
      if (!isObject(endpoint) || endpoint['interface'] !== cloud.interface) continue;
      if (cloud.region !== undefined && endpoint['region'] !== cloud.region) continue;
      return `${String(endpoint['url'])
        .replace(/\/+$/, '')
        .replace(/\/v[0-9.]+$/, '')}/v3`;
    }
  }
  return undefined;
}

const successes: Readonly<Record<Method, readonly number[]>> = {
  GET: [200],
  POST: [201],
  PATCH: [200],
  DELETE: [202, 204],
};

async function request(
  method: Method,
  url: string,
  { token, subject, body }: { token?: SecretValue; subject?: SecretValue; body?: JsonObject | undefined },
  { http, signal }: IdentityOptions,
  expected = successes[method],
): Promise<{ headers: Readonly<Record<string, unknown>>; body: JsonObject }> {
  const response = await http.send({
    method,
    url,
    headers: {
      accept: 'application/json',
      'openstack-identity-access-rules': '1.0',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { 'x-auth-token': token }),
      ...(subject !== undefined && { 'x-subject-token': subject }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    deadline: requestTimeout,
    signal,
  });
  const text = response.body.toString();
  if (!expected.includes(response.status)) throw new IdentityError(`${method} ${url}`, response.status, text.trim());
  const content: unknown = text === '' ? {} : JSON.parse(text);
  return { headers: response.headers, body: isObject(content) ? content : {} };
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
