// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import { HttpError, type HttpFailure } from '@forge/runtime/http/http-error.ts';
import { respond } from './fake-routes.ts';
import {
  failure,
  identityState,
  setPassword,
  type FakeResponse,
  type IdentityState,
  type Resource,
} from './fake-state.ts';

/** A Keystone in memory, which can fail in all ways of a real one. */
export interface FakeKeystone {
  /** Whether it responds: `hung` never responds; without its database it responds to most requests with 500. */
  health: 'up' | 'down' | 'hung' | 'without database';
  /** How long each response takes. */
  latency: Duration;
  /** The status with which a request such as `POST /v3/services` is refused; undefined when it is not. */
  refuses: (request: string) => number | undefined;
  /** The requests that it received, oldest first. */
  readonly requests: readonly string[];
  readonly state: IdentityState;
  /**
   * Like `keystone-manage bootstrap`: creates administrator, default domain and catalog, or updates password and URLs.
   */
  bootstrap(options: BootstrapOptions): void;
}

/** The arguments of a bootstrap. */
interface BootstrapOptions {
  password: string;
  /** The public endpoint. Default: that of the host on port 5000. */
  publicUrl?: string;
  /** Default: RegionOne. */
  region?: string;
}

/** Keystones by the host of their URL. */
export interface FakeKeystones {
  /** The Keystone at a host, such as `keystone.openstack.svc`; initially it is not bootstrapped. */
  at(host: string): FakeKeystone;
  /** The HTTP client of one process, on that process's clock. */
  reachedBy(clock: Clock): Pick<HttpClient, 'send'>;
  /** Copies of all Keystones at the same hosts, all of them up. */
  fork(): FakeKeystones;
}

/** A network without Keystones. */
export function fakeKeystones(): FakeKeystones {
  return networkOf(new Map());
}

interface Server {
  keystone: FakeKeystone;
  answer: Answer;
}

function networkOf(servers: Map<string, Server>): FakeKeystones {
  return {
    at(host) {
      const server = servers.get(host) ?? fakeKeystone(host);
      servers.set(host, server);
      return server.keystone;
    },
    reachedBy: (clock) => ({
      async send(request) {
        const { hostname: host } = new URL(request.url);
        const server = servers.get(host);
        if (server === undefined) throw failed(request, { kind: 'not-resolvable', host });
        const { status, headers = {}, body } = await server.answer(request, clock);
        return { status, headers, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
      },
    }),
    fork: () =>
      networkOf(new Map([...servers].map(([host, { keystone }]) => [host, fakeKeystone(host, keystone.state)]))),
  };
}

type Answer = (request: HttpRequest, clock: Clock) => Promise<FakeResponse>;

function fakeKeystone(host: string, from?: IdentityState): Server {
  const state = identityState(host, from);
  const requests: string[] = [];
  const keystone: FakeKeystone = {
    health: 'up',
    latency: now,
    refuses: () => undefined,
    requests,
    state,
    bootstrap: (options) =>
      bootstrap(state, { publicUrl: `http://${host}:5000/v3`, ...options }, `http://${host}:5000/v3`),
  };

  return {
    keystone,
    async answer(request, clock) {
      const url = new URL(request.url);
      const asked = `${request.method} ${url.pathname}`;
      requests.push(asked);
      if (keystone.health === 'hung') await sleep(clock, request.deadline, request.signal);
      else if (keystone.latency > now) await sleep(clock, keystone.latency, request.signal);
      const { health } = keystone;
      if (health === 'hung')
        throw failed(request, { kind: 'timeout', phase: 'headers', seconds: request.deadline / 1000 });
      if (health === 'down') throw refusedConnection(request, url);
      const status = keystone.refuses(asked);
      if (status !== undefined) return failure(status, 'The server refuses this request.');
      if (url.pathname === '/') return { status: 300, body: { versions: { values: [] } } };
      const path = url.pathname.replace(/^\/v3\/?/, '/').replace(/\/$/, '');
      if (health === 'without database' && path !== '')
        return failure(500, 'An unexpected error prevented the server from fulfilling your request.');
      return respond(state, { ...contentOf(request), path, query: url.searchParams, at: clock.now() });
    },
  };
}

function contentOf({ method, headers = {}, body }: HttpRequest) {
  const lower = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === 'string' ? value : value.reveal(),
  ]);
  const { 'x-auth-token': token, 'x-subject-token': subject } = Object.fromEntries(lower) as Record<string, string>;
  const sent: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : {};
  return { method, token, subject, body: isObject(sent) ? sent : {} };
}

function failed({ method, url }: HttpRequest, why: HttpFailure, cause?: Error): HttpError {
  return new HttpError(method, url, why, cause);
}

function refusedConnection(request: HttpRequest, { hostname: host, port }: URL): HttpError {
  const cause = Object.assign(new Error(`connect ECONNREFUSED ${host}:${port}`), { code: 'ECONNREFUSED' });
  return failed(request, { kind: 'connect-failed', host, port: Number(port) }, cause);
}

/** Idempotent, like the real one. */
function bootstrap(
  state: IdentityState,
  { password, publicUrl, region = 'RegionOne' }: BootstrapOptions,
  internalUrl: string,
): void {
  const { domains, projects, roles, users, services, endpoints } = state.resources;
  const ensure = (into: Map<string, Resource>, wanted: JsonObject, id?: string): Resource => {
    const isIt = (each: Resource) => Object.entries(wanted).every(([field, value]) => each[field] === value);
    const found = [...into.values()].find(isIt);
    const resource = found ?? { enabled: true, description: '', ...wanted, id: id ?? state.newId() };
    into.set(resource.id, resource);
    return resource;
  };
  ensure(domains, { name: 'Default' }, 'default');
  ensure(projects, { name: 'admin', domain_id: 'default' });
  for (const name of ['admin', 'manager', 'member', 'reader']) ensure(roles, { name });
  const admin = ensure(users, { name: 'admin', domain_id: 'default' });
  state.admins.add(admin.id);
  setPassword(state, admin.id, password);
  const service = ensure(services, { name: 'keystone', type: 'identity' });
  for (const [facing, url] of [
    ['public', publicUrl],
    ['internal', internalUrl],
    ['admin', internalUrl],
  ] as const) {
    const endpoint = ensure(endpoints, { interface: facing, service_id: service.id, region, region_id: region });
    endpoints.set(endpoint.id, { ...endpoint, url });
  }
}
