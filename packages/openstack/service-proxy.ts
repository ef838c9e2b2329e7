// SPDX-License-Identifier: Apache-2.0
import type { ApiResponse, Transport } from '@forge/kube/client/transport.ts';
import type { Status } from '@forge/kube/errors/api-error.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { Attempt } from '@forge/runtime/http/attempt.ts';
import { HttpError, type HttpFailure } from '@forge/runtime/http/http-error.ts';

/** A port of a Service. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

interface ProxiedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value. */
  readonly body?: unknown;
  /** Headers of the response to return, in lower case. */
  readonly wantedHeaders?: readonly string[];
  readonly deadline: Duration;
  readonly signal: AbortSignal;
}

/** The error code of a refused connection. */
export const refusedCode = 'ECONNREFUSED';

/** Reaches Services whose names do not resolve. */
export interface ServiceProxy {
  /** The response of the Service; rejects with an HttpError that says why when the Service is not reached. */
  send(service: ServicePort, request: ProxiedRequest): Promise<ApiResponse>;
}

/** Reaches Services through the API server; needs permission for `services/proxy`. */
export function serviceProxy(transport: Transport, clock: Clock): ServiceProxy {
  return {
    async send({ namespace, name, port }, { method, path, deadline, signal, ...content }) {
      const url = `/api/v1/namespaces/${namespace}/services/${name}:${port}/proxy${path}`;
      const attempt = new Attempt(clock, { method, url, deadline, signal });
      try {
        const { headers = {}, ...rest } = content;
        const response = await transport.request({
          method,
          path: url,
          ...rest,
          headers: { ...headers },
          signal: attempt.signal,
        });
        const refusal = refusalOf(response, { name, port });
        if (refusal !== undefined) throw new HttpError(method, url, refusal.failure, refusal.cause);
        return response;
      } catch (error) {
        throw attempt.errorOf(error);
      } finally {
        attempt.end();
      }
    },
  };
}

/** The API server's own error, if the response is not that of the Service. */
function refusalOf(
  { status, body }: { status: number; body: unknown },
  { name, port }: Pick<ServicePort, 'name' | 'port'>,
): { failure: HttpFailure; cause: Error } | undefined {
  if (status < 400) return undefined;
  const { message = '', details } = body as Status;
  // The Service or its Endpoints do not exist: the API server does not say which.
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
