// SPDX-License-Identifier: Apache-2.0
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import { Attempt } from './attempt.ts';
import { tcpDial, type Dial } from './dial.ts';
import { exchange } from './exchange.ts';
import { openConnection } from './open-connection.ts';
import { redirected } from './redirected.ts';
import { secureContexts, type ServerTrust } from './server-trust.ts';

/** The options of a client; which servers it trusts holds for requests that do not say it themselves. */
interface HttpClientOptions extends ServerTrust {
  clock: Clock;
  /** How connections are opened. Default: by TCP. */
  dial?: Dial;
}

/** A body in memory, or one that is sent as it comes, up to a size. */
export type RequestBody = string | Uint8Array | { stream: AsyncIterable<Uint8Array>; maxBytes: number };

export interface HttpRequest {
  /** GET, PUT, LIST … */
  method: string;
  url: string;
  /** Values that are secret are revealed on the wire only. */
  headers?: Readonly<Record<string, string | SecretValue>>;
  body?: RequestBody;
  /** For the whole exchange: from the resolution of the name to the last byte of the response. */
  deadline: Duration;
  /** The size up to which a response body is read. Default: 1 MiB. */
  maxResponseBytes?: number;
  /** Which server is trusted, instead of what the client says as a whole. Default: as the client says. */
  trust?: ServerTrust;
  /** How many redirects to follow; the response of a redirect is returned otherwise. Default: none. */
  redirects?: number;
  signal: AbortSignal;
}

interface ResponseHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/** A client for outside systems; every status code is a response, not an error. */
export interface HttpClient {
  /** Sends a request and reads all of the response; rejects with an HttpError. */
  send(request: HttpRequest): Promise<ResponseHead & { body: Buffer }>;
  /** Sends a request and streams the response body, which must be read before the deadline; both reject with an HttpError. */
  stream(request: HttpRequest): Promise<ResponseHead & { body: AsyncIterable<Uint8Array> }>;
}

const defaultMaxResponseBytes = 1024 * 1024;

/** Makes a client in which nothing lasts longer or grows larger than the request allows. A connection serves one request. */
export function httpClient({ clock, dial = tcpDial(), ...trusted }: HttpClientOptions): HttpClient {
  const secureContext = secureContexts();

  async function responseTo(request: HttpRequest, attempt: Attempt): Promise<IncomingMessage> {
    let current = request;
    for (let left = request.redirects ?? 0; ; left -= 1) {
      const url = urlOf(current.url, attempt);
      const connection = await openConnection(url, { dial, secureContext, trust: request.trust ?? trusted }, attempt);
      const response = await exchange(connection, url, current, attempt);
      const next = left > 0 ? redirected(current, url, response) : undefined;
      if (next === undefined) return response;
      response.destroy();
      current = next;
    }
  }

  async function stream(request: HttpRequest): Promise<ResponseHead & { body: AsyncIterable<Uint8Array> }> {
    const attempt = new Attempt(clock, request);
    try {
      const response = await responseTo(request, attempt);
      attempt.phase = 'body';
      // It may break while nobody reads.
      response.on('error', () => undefined);
      const { statusCode: status = 0, headers } = response;
      return {
        status,
        headers,
        body: readBody(response, request.maxResponseBytes ?? defaultMaxResponseBytes, attempt),
      };
    } catch (error) {
      attempt.end();
      throw attempt.errorOf(error);
    }
  }

  return {
    stream,
    async send(request) {
      const { body, ...head } = await stream(request);
      return { ...head, body: Buffer.concat(await Array.fromAsync(body)) };
    },
  };
}

async function* readBody(response: IncomingMessage, maxBytes: number, attempt: Attempt): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw attempt.fail({ kind: 'body-too-large', body: 'response', maxBytes });
      yield chunk;
    }
  } catch (error) {
    throw attempt.errorOf(error);
  } finally {
    response.destroy();
    attempt.end();
  }
}

function urlOf(text: string, attempt: Attempt): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw attempt.fail({ kind: 'not-sendable' }, new Error('this is no http or https URL; check the configured address'));
}
