// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/duration.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { Random } from '@forge/runtime/random.ts';

/** What a probe of the API found. */
export type Health = { healthy: true } | { healthy: false; reason: HealthReason; message: string };

type HealthReason =
  | 'HealthCheckTimeout'
  | 'EndpointNotReady'
  | 'ConnectionFailed'
  | 'HealthCheckFailed'
  | 'APIUnhealthy'
  | 'APIDegraded';

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
        if (status < 200 || status > 299) {
          return { healthy: false, reason: 'APIUnhealthy', message: `Keystone API returned HTTP ${status}` };
        }
      } catch (error) {
        signal.throwIfAborted();
        return { healthy: false, ...classified(error) };
      }
      // Once more before a verdict: a single 500 was seen when memcached came back.
      const first = await loginFailure(check);
      const trouble = first === undefined || clock.now() >= check.end ? first : await loginFailure(check);
      if (trouble === undefined) return { healthy: true };
      const message = `Keystone API at ${url} answers but cannot authenticate: ${trouble}`;
      return { healthy: false, reason: 'APIDegraded', message };
    },
  };
}

function classified(error: unknown): { reason: HealthReason; message: string } {
  const kind = kindOf(error);
  if (kind === 'timeout') return { reason: 'HealthCheckTimeout', message: 'health check timed out' };
  if (kind === 'not-resolvable') return { reason: 'EndpointNotReady', message: 'endpoint not resolvable' };
  const why = causeOf(error);
  if (kind === 'connect-failed') return { reason: 'ConnectionFailed', message: `connection failed: ${why}` };
  return { reason: 'HealthCheckFailed', message: `health check failed: ${why}` };
}

function kindOf(error: unknown): HttpError['failure']['kind'] | undefined {
  return error instanceof HttpError ? error.failure.kind : undefined;
}

/** What the system said, without the request, which the condition need not repeat. */
function causeOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return error instanceof HttpError && cause instanceof Error && cause.message !== '' ? cause.message : message;
}
