// SPDX-License-Identifier: Apache-2.0

/** The body of a Keystone login as administrator. */
export function passwordLogin(password: string) {
  const domain = { id: 'default' };
  return {
    auth: {
      identity: { methods: ['password'], password: { user: { name: 'admin', domain, password } } },
      scope: { project: { name: 'admin', domain } },
    },
  };
}

/** An application credential. */
export interface Credential {
  id: string;
  secret: string;
}

/** The body of a Keystone login by application credential. */
export function credentialLogin({ id, secret }: Credential) {
  return { auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } } };
}

/** A client of Keystone's API. */
export interface Identity {
  /** A token; undefined when the login is rejected. */
  login(body: ReturnType<typeof passwordLogin> | ReturnType<typeof credentialLogin>): Promise<string | undefined>;
  /** URLs of the identity service in the catalog, for this interface. */
  catalogUrls(token: string, forInterface: 'public' | 'internal'): Promise<string[]>;
  /** Name of the token's user. */
  validate(token: string): Promise<string>;
  createProject(token: string, name: string): Promise<string>;
  projects(token: string): Promise<string[]>;
}

/** A service in the catalog. */
interface CatalogEntry {
  type: string;
  endpoints: { interface: string; url: string }[];
}

/** The identity service at a URL that ends in /v3; each request times out after `timeout` milliseconds. */
export function identity(url: string, timeout = 60_000): Identity {
  // uWSGI does not respond to requests while the database is down.
  const deadline = () => AbortSignal.timeout(timeout);

  async function call(path: string, expected: number, init: RequestInit): Promise<Response> {
    const response = await fetch(`${url}${path}`, { ...init, signal: deadline() });
    if (response.status !== expected) {
      throw new Error(`${init.method ?? 'GET'} ${url}${path} answered ${response.status}: ${await response.text()}`);
    }
    return response;
  }

  return {
    async login(body) {
      const response = await fetch(`${url}/auth/tokens`, { ...post(body), signal: deadline() });
      // The response to a revoked application credential is 404.
      if (response.status === 401 || response.status === 404) return undefined;
      const token = response.headers.get('x-subject-token');
      if (response.status !== 201 || token === null) {
        throw new Error(`POST ${url}/auth/tokens answered ${response.status}: ${await response.text()}`);
      }
      return token;
    },
    async catalogUrls(token, forInterface) {
      const response = await call('/auth/catalog', 200, { headers: { 'x-auth-token': token } });
      const { catalog } = (await response.json()) as { catalog: CatalogEntry[] };
      const endpoints = catalog.filter(({ type }) => type === 'identity').flatMap(({ endpoints: each }) => each);
      return endpoints.filter((each) => each.interface === forInterface).map((each) => each.url);
    },
    async validate(token) {
      const response = await call('/auth/tokens', 200, {
        headers: { 'x-auth-token': token, 'x-subject-token': token },
      });
      return ((await response.json()) as { token: { user: { name: string } } }).token.user.name;
    },
    async createProject(token, name) {
      const response = await call('/projects', 201, post({ project: { name } }, { 'x-auth-token': token }));
      return ((await response.json()) as { project: { id: string } }).project.id;
    },
    async projects(token) {
      const response = await call('/projects', 200, { headers: { 'x-auth-token': token } });
      return ((await response.json()) as { projects: { name: string }[] }).projects.map(({ name }) => name);
    },
  };
}

function post(body: unknown, headers: Record<string, string> = {}) {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
