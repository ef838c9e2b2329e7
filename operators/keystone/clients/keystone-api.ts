// SPDX-License-Identifier: Apache-2.0
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/time/duration.ts';

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
}

/** The little of Keystone's API that the operator speaks. */
export interface KeystoneApi {
  /** Whether the API answers and can authenticate. Never throws for what the network or the API does. */
  health(url: string, signal: AbortSignal): Promise<Health>;
}

/** For all requests of a check together, from the first name lookup to the last byte. */
const checkTimeout = seconds(10);
const json = { 'content-type': 'application/json' };

/** What all requests of a check have in common. */
interface Check {
  url: string;
  /** The time at which it ends. */
  end: number;
  signal: AbortSignal;
}

/** A client for Keystone's API on an HTTP client. */
export function keystoneApi({ http, clock, random }: KeystoneApiOptions): KeystoneApi {
  /** The status of the response to a GET, or to a POST when there is a body. */
  async function statusOf({ url, end, signal }: Check, body?: string): Promise<number> {
    const content = body === undefined ? { method: 'GET' } : { method: 'POST', body, headers: json };
    const deadline = milliseconds(Math.max(0, end - clock.now()));
    return (await http.send({ url, ...content, deadline, signal })).status;
  }

  /** An unknown user is refused with 401 by a Keystone that reaches its database; GET /v3 would not notice. */
  async function loginFailure(check: Check): Promise<string | undefined> {
    const user = { id: `forge-health-${random.uuid()}`, password: 'none' };
    const body = JSON.stringify({ auth: { identity: { methods: ['password'], password: { user } } } });
    try {
      const status = await statusOf({ ...check, url: `${check.url}/auth/tokens` }, body);
      return status === 401 ? undefined : `HTTP ${status}`;
    } catch (error) {
      check.signal.throwIfAborted();
      return kindOf(error) === 'timeout' ? 'timed out' : causeOf(error);
    }
  }

  return {
    async health(url, signal) {
      const check = { url, end: clock.now() + checkTimeout, signal };
      try {
        const status = await statusOf(check);
        if (status < 200 || status > 299) return { found: 'unhealthy', status };
      } catch (error) {
        signal.throwIfAborted();
        return classified(error);
      }
      // Once more before a verdict: a single 500 was seen when memcached came back.
      const first = await loginFailure(check);
      const trouble = first === undefined || clock.now() >= check.end ? first : await loginFailure(check);
      return trouble === undefined ? { found: 'healthy' } : { found: 'degraded', what: trouble };
    },
  };
}

function classified(error: unknown): Health {
  const kind = kindOf(error);
  if (kind === 'timeout' || kind === 'not-resolvable') return { found: kind };
  return { found: kind === 'connect-failed' ? 'not-connected' : 'failed', error: causeOf(error) };
}

function kindOf(error: unknown): HttpError['failure']['kind'] | undefined {
  return error instanceof HttpError ? error.failure.kind : undefined;
}

/** What the system said, without the request, which the condition need not repeat. */
function causeOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return error instanceof HttpError && cause instanceof Error && cause.message !== '' ? cause.message : message;
}
