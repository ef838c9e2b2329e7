// SPDX-License-Identifier: Apache-2.0
import { callService, type ServiceAddress, type ServiceConnection } from '@forge/openstack/call-service.ts';
import { refusedCode } from '@forge/openstack/service-proxy.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';

/** What a probe of the API found. */
export type Health =
  | { found: 'healthy' }
  | { found: 'timeout' | 'not-resolvable' }
  | { found: 'not-connected' | 'failed'; error: string }
  | { found: 'unhealthy'; status: number }
  /** It answers, but nobody can log in. */
  | { found: 'degraded'; what: string };

/** Where the API of a Keystone is. */
export interface ApiAddress extends ServiceAddress {
  /** The uid of the Keystone. */
  owner: string;
}

/** The part of Keystone's API that the operator uses. */
export interface KeystoneApi {
  /** Whether the API answers and can authenticate. Never throws for what the network or the API does. */
  health(address: ApiAddress, signal: AbortSignal): Promise<Health>;
}

/** For all requests of a check together, from the first name lookup to the last byte. */
const checkTimeout = seconds(10);

type Send = ReturnType<typeof callService>;

/** A client for Keystone's API on an HTTP client. */
export function keystoneApi({ random, ...connection }: ServiceConnection & { random: Random }): KeystoneApi {
  const { clock } = connection;

  /** An unknown user is refused with 401 by a Keystone that reaches its database; GET /v3 would not notice. */
  async function loginFailure(send: Send, signal: AbortSignal): Promise<string | undefined> {
    const user = { id: `forge-health-${random.uuid()}`, password: 'none' };
    const body = { auth: { identity: { methods: ['password'], password: { user } } } };
    try {
      const { status } = await send({ method: 'POST', path: '/auth/tokens', body });
      return status === 401 ? undefined : `HTTP ${status}`;
    } catch (error) {
      signal.throwIfAborted();
      return kindOf(error) === 'timeout' ? 'timed out' : causeOf(error);
    }
  }

  return {
    async health(address, signal) {
      const end = clock.monotonic() + checkTimeout;
      const send = callService(connection, address, { timeout: checkTimeout, signal });
      try {
        const { status } = await send({ method: 'GET', path: '' });
        if (status < 200 || status > 299) return { found: 'unhealthy', status };
      } catch (error) {
        signal.throwIfAborted();
        return classified(error);
      }
      // Retried once: a single 500 was seen when memcached came back.
      const first = await loginFailure(send, signal);
      const trouble = first === undefined || clock.monotonic() >= end ? first : await loginFailure(send, signal);
      return trouble === undefined ? { found: 'healthy' } : { found: 'degraded', what: trouble };
    },
  };
}

function classified(error: unknown): Health {
  const kind = kindOf(error);
  if (kind === 'timeout' || kind === 'not-resolvable') return { found: kind };
  return { found: isRefused(error) ? 'not-connected' : 'failed', error: causeOf(error) };
}

/** Whether the connection was refused; a host that cannot be reached is another case. */
function isRefused(error: unknown): boolean {
  const { cause } = error instanceof HttpError ? error : {};
  return kindOf(error) === 'connect-failed' && cause instanceof Error && 'code' in cause && cause.code === refusedCode;
}

function kindOf(error: unknown): HttpError['failure']['kind'] | undefined {
  return error instanceof HttpError ? error.failure.kind : undefined;
}

/** The error of the system, without the request, which the condition need not repeat. */
function causeOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return error instanceof HttpError && cause instanceof Error && cause.message !== '' ? cause.message : message;
}
