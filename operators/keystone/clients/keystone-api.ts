// SPDX-License-Identifier: Apache-2.0
import { refusedCode, type ServicePort, type ServiceProxy } from '@forge/openstack/service-proxy.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/time/duration.ts';

/** What a probe of the API found. */
export type Health =
  | { found: 'healthy' }
  | { found: 'timeout' | 'not-resolvable' }
  | { found: 'not-connected' | 'failed'; error: string }
  | { found: 'unhealthy'; status: number }
  /** It answers, but nobody can log in. */
  | { found: 'degraded'; what: string };

interface KeystoneApiOptions {
  http: HttpClient;
  clock: Clock;
  random: Random;
  /** Where the name of the Service does not resolve. Default: then it is not reached. */
  proxy?: ServiceProxy;
}

/** Where the API of a Keystone is. */
export interface ApiAddress {
  /** The uid of the Keystone. */
  owner: string;
  url: string;
  service: ServicePort;
}

/** The little of Keystone's API that the operator speaks. */
export interface KeystoneApi {
  /** Whether the API answers and can authenticate. Never throws for what the network or the API does. */
  health(address: ApiAddress, signal: AbortSignal): Promise<Health>;
}

/** For all requests of a check together, from the first name lookup to the last byte. */
const checkTimeout = seconds(10);
const json = { 'content-type': 'application/json' };

/** What all requests of a check have in common. */
interface Check {
  address: ApiAddress;
  /** The time at which it ends. */
  end: number;
  signal: AbortSignal;
}

/** The status of the response to a GET, or to a POST when there is a body. */
type StatusOf = (path: string, body?: unknown) => Promise<number>;

/** A client for Keystone's API on an HTTP client. */
export function keystoneApi({ http, clock, random, proxy }: KeystoneApiOptions): KeystoneApi {
  const timeLeft = ({ end }: Check): Duration => milliseconds(Math.max(0, end - clock.monotonic()));

  const direct = (check: Check): StatusOf => {
    return async (path, body) => {
      const content =
        body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body), headers: json };
      const { address, signal } = check;
      return (await http.send({ url: `${address.url}${path}`, ...content, deadline: timeLeft(check), signal })).status;
    };
  };

  const proxied = (check: Check, through: ServiceProxy): StatusOf => {
    return async (path, body) => {
      const { address, signal } = check;
      const { pathname } = new URL(address.url);
      const content = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body };
      const request = { ...content, path: `${pathname}${path}`, deadline: timeLeft(check), signal };
      return (await through.send(address.service, request)).status;
    };
  };

  /** The status of the version document, and the way on which it came. */
  async function firstAnswer(check: Check): Promise<{ status: number; statusOf: StatusOf }> {
    const statusOf = direct(check);
    try {
      return { status: await statusOf(''), statusOf };
    } catch (error) {
      if (proxy === undefined || kindOf(error) !== 'not-resolvable') throw error;
      const throughServer = proxied(check, proxy);
      return { status: await throughServer(''), statusOf: throughServer };
    }
  }

  /** An unknown user is refused with 401 by a Keystone that reaches its database; GET /v3 would not notice. */
  async function loginFailure(statusOf: StatusOf, signal: AbortSignal): Promise<string | undefined> {
    const user = { id: `forge-health-${random.uuid()}`, password: 'none' };
    const body = { auth: { identity: { methods: ['password'], password: { user } } } };
    try {
      const status = await statusOf('/auth/tokens', body);
      return status === 401 ? undefined : `HTTP ${status}`;
    } catch (error) {
      signal.throwIfAborted();
      return kindOf(error) === 'timeout' ? 'timed out' : causeOf(error);
    }
  }

  return {
    async health(address, signal) {
      const check = { address, end: clock.monotonic() + checkTimeout, signal };
      let statusOf: StatusOf;
      try {
        const answer = await firstAnswer(check);
        const { status } = answer;
        if (status < 200 || status > 299) return { found: 'unhealthy', status };
        ({ statusOf } = answer);
      } catch (error) {
        signal.throwIfAborted();
        return classified(error);
      }
      // Once more before a verdict: a single 500 was seen when memcached came back.
      const first = await loginFailure(statusOf, signal);
      const trouble =
        first === undefined || clock.monotonic() >= check.end ? first : await loginFailure(statusOf, signal);
      return trouble === undefined ? { found: 'healthy' } : { found: 'degraded', what: trouble };
    },
  };
}

function classified(error: unknown): Health {
  const kind = kindOf(error);
  if (kind === 'timeout' || kind === 'not-resolvable') return { found: kind };
  return { found: isRefused(error) ? 'not-connected' : 'failed', error: causeOf(error) };
}

/** Whether nobody listens; that the host is not reached is something else. */
function isRefused(error: unknown): boolean {
  const { cause } = error instanceof HttpError ? error : {};
  return kindOf(error) === 'connect-failed' && cause instanceof Error && 'code' in cause && cause.code === refusedCode;
}

function kindOf(error: unknown): HttpError['failure']['kind'] | undefined {
  return error instanceof HttpError ? error.failure.kind : undefined;
}

/** What the system said, without the request, which the condition need not repeat. */
function causeOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return error instanceof HttpError && cause instanceof Error && cause.message !== '' ? cause.message : message;
}
