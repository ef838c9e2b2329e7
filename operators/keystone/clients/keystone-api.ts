// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/clock.ts';
import { seconds } from '@forge/runtime/duration.ts';
import type { Random } from '@forge/runtime/random.ts';

/** Sends a request to a URL inside the cluster; rejects when there is no answer. */
export type Send = (
  url: string,
  init: { method: 'GET' | 'POST'; body?: string; signal: AbortSignal },
) => Promise<{ status: number }>;

/** What a probe of the API found. */
export type Health = { healthy: true } | { healthy: false; reason: HealthReason; message: string };

type HealthReason =
  | 'HealthCheckTimeout'
  | 'EndpointNotReady'
  | 'ConnectionFailed'
  | 'HealthCheckFailed'
  | 'APIUnhealthy'
  | 'APIDegraded';

/** The little of Keystone's API that the operator speaks. */
export interface KeystoneApi {
  /** Whether the API answers and can authenticate. Never throws for what the network or the API does. */
  health(url: string, signal: AbortSignal): Promise<Health>;
}

const requestTimeout = seconds(10);

/** A client on a way to send requests. */
export function keystoneApi({ send, clock, random }: { send: Send; clock: Clock; random: Random }): KeystoneApi {
  async function bounded(
    url: string,
    signal: AbortSignal,
    init: { method: 'GET' | 'POST'; body?: string },
  ): Promise<number> {
    const limit = new AbortController();
    const cancel = clock.after(requestTimeout, () => limit.abort(new TimedOut()));
    try {
      return (await send(url, { ...init, signal: AbortSignal.any([signal, limit.signal]) })).status;
    } finally {
      cancel();
    }
  }

  /** An unknown user is refused with 401 by a Keystone that reaches its database; GET /v3 would not notice. */
  async function authenticates(url: string, signal: AbortSignal): Promise<string | undefined> {
    const user = { id: `forge-health-${random.uuid()}`, password: 'none' };
    const body = JSON.stringify({ auth: { identity: { methods: ['password'], password: { user } } } });
    try {
      const status = await bounded(`${url}/auth/tokens`, signal, { method: 'POST', body });
      return status === 401 ? undefined : `HTTP ${status}`;
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof TimedOut ? 'timed out' : textOf(error);
    }
  }

  return {
    async health(url, signal) {
      try {
        const status = await bounded(url, signal, { method: 'GET' });
        if (status < 200 || status > 299) {
          return { healthy: false, reason: 'APIUnhealthy', message: `Keystone API returned HTTP ${status}` };
        }
      } catch (error) {
        signal.throwIfAborted();
        return { healthy: false, ...classified(error) };
      }
      // Once more before a verdict: a single 500 was seen when memcached came back.
      const trouble = (await authenticates(url, signal)) && (await authenticates(url, signal));
      if (trouble === undefined) return { healthy: true };
      const message = `Keystone API at ${url} answers but cannot authenticate: ${trouble}`;
      return { healthy: false, reason: 'APIDegraded', message };
    },
  };
}

class TimedOut extends Error {}

function classified(error: unknown): { reason: HealthReason; message: string } {
  if (error instanceof TimedOut) return { reason: 'HealthCheckTimeout', message: 'health check timed out' };
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { reason: 'EndpointNotReady', message: 'endpoint not resolvable' };
  if (code === 'ECONNREFUSED') return { reason: 'ConnectionFailed', message: `connection failed: ${textOf(error)}` };
  return { reason: 'HealthCheckFailed', message: `health check failed: ${textOf(error)}` };
}

/** The system's code of a failed request; HTTP clients wrap it as the cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
