// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { ServicePort, ServiceProxy } from './service-proxy.ts';

/** The URL of an API, and its Service, which is used when the name in the URL does not resolve. */
export interface ServiceAddress {
  readonly url: string;
  readonly service: ServicePort;
}

/** How Services are reached. */
export interface ServiceConnection {
  http: Pick<HttpClient, 'send'>;
  clock: Clock;
  /** Reaches the Service when its name does not resolve. Default: the request fails. */
  proxy?: ServiceProxy;
}

/** A request to a Service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the URL of the address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, SecretValue>>;
  /** A JSON value. */
  readonly body?: unknown;
  /** A header of the response to return, in lower case. */
  readonly wantedHeader?: string;
}

/** Its response; the body is undefined when it is not JSON. */
export interface ServiceResponse {
  readonly status: number;
  readonly header: string | undefined;
  readonly body: unknown;
}

/**
 * Sends the requests of one call, which share its timeout: directly, and through the proxy once the name of the Service was found
 * not to resolve. Rejects with an HttpError.
 */
export function callService(
  { http, clock, proxy }: ServiceConnection,
  { url, service }: ServiceAddress,
  { timeout, signal }: { timeout: Duration; signal: AbortSignal },
): (request: ServiceRequest) => Promise<ServiceResponse> {
  const end = clock.monotonic() + timeout;
  const limits = () => ({ deadline: milliseconds(Math.max(0, end - clock.monotonic())), signal });
  let isResolvable = true;

  async function direct({ method, path, headers, body, wantedHeader = '' }: ServiceRequest): Promise<ServiceResponse> {
    const content =
      body === undefined
        ? { headers: { ...headers } }
        : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const response = await http.send({ method, url: `${url}${path}`, ...content, ...limits() });
    const header = response.headers[wantedHeader];
    return {
      status: response.status,
      header: typeof header === 'string' ? header : undefined,
      body: jsonIn(response.body.toString()),
    };
  }

  async function proxied(
    through: ServiceProxy,
    { path, headers = {}, wantedHeader, ...content }: ServiceRequest,
  ): Promise<ServiceResponse> {
    const {
      status,
      headers: received,
      body,
    } = await through.send(service, {
      ...content,
      path: `${new URL(url).pathname}${path}`,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
      wantedHeaders: wantedHeader === undefined ? [] : [wantedHeader],
      ...limits(),
    });
    return { status, header: received?.[wantedHeader ?? ''], body };
  }

  return async (request) => {
    if (proxy === undefined) return await direct(request);
    if (!isResolvable) return await proxied(proxy, request);
    try {
      return await direct(request);
    } catch (error) {
      if (!(error instanceof HttpError) || error.failure.kind !== 'not-resolvable') throw error;
      isResolvable = false;
      return await proxied(proxy, request);
    }
  };
}

/** The value of a JSON text; undefined when the text is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
