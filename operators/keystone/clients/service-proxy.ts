// SPDX-License-Identifier: Apache-2.0
import type { Transport } from '@forge/kube/client/transport.ts';
import type { Status } from '@forge/kube/errors/api-error.ts';
import { Attempt } from '@forge/runtime/http/attempt.ts';
import { HttpError, type HttpFailure } from '@forge/runtime/http/http-error.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';

/** A port of a Service. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

interface ProxiedRequest {
  readonly path: string;
  /** A POST with this JSON value; without one it is a GET. */
  readonly body?: unknown;
  readonly deadline: Duration;
  readonly signal: AbortSignal;
}

/** The system's code of a connection that nobody accepts. */
export const refusedCode = 'ECONNREFUSED';

/** Reaches Services where their names do not resolve. */
export interface ServiceProxy {
  /** The status with which the Service answers; rejects with an HttpError when it is not reached, and says why. */
  statusOf(service: ServicePort, request: ProxiedRequest): Promise<number>;
}

/** Reaches Services through the API server, which needs `services/proxy`. */
export function serviceProxy(transport: Transport, clock: Clock): ServiceProxy {
  return {
    async statusOf({ namespace, name, port }, { path, body, deadline, signal }) {
      const method = body === undefined ? 'GET' : 'POST';
      const url = `/api/v1/namespaces/${namespace}/services/${name}:${port}/proxy${path}`;
      const attempt = new Attempt(clock, { method, url, deadline, signal });
      try {
        const content = body === undefined ? {} : { body };
        const response = await transport.request({ method, path: url, ...content, signal: attempt.signal });
        const refusal = refusalOf(response, { name, port });
        if (refusal !== undefined) throw new HttpError(method, url, refusal.failure, refusal.cause);
        return response.status;
      } catch (error) {
        throw attempt.errorOf(error);
      } finally {
        attempt.end();
      }
    },
  };
}

/** What the API server itself says in the place of the Service. */
function refusalOf(
  { status, body }: { status: number; body: unknown },
  { name, port }: Pick<ServicePort, 'name' | 'port'>,
): { failure: HttpFailure; cause: Error } | undefined {
  if (status < 400) return undefined;
  const { message = '', details } = body as Status;
  // The Service, or its Endpoints: the API server does not say which.
  if (details?.kind === 'services' && status === 404) {
    return { failure: { kind: 'not-resolvable', host: name }, cause: new Error(message) };
  }
  if (details?.kind === 'services') {
    const text = `the name of the Service does not resolve here, and the API server does not pass requests on: ${message}`;
    return { failure: { kind: 'not-sendable' }, cause: new Error(text) };
  }
  const failure = { kind: 'connect-failed', host: name, port } as const;
  if (/^no endpoints available for service|^no service port \d+ found|: connection refused$/.test(message)) {
    return { failure, cause: Object.assign(new Error(message), { code: refusedCode }) };
  }
  return message.startsWith('error trying to reach service') ? { failure, cause: new Error(message) } : undefined;
}
