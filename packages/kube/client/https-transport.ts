// SPDX-License-Identifier: Apache-2.0
import type { Dispatcher } from 'undici';
import { ApiError, type Status } from '../errors/api-error.ts';
import { isObject } from '../objects/json.ts';
import { impersonationHeaders, type Impersonation } from './impersonate.ts';
import { jsonLines } from './json-lines.ts';
import { openDispatcher, type DispatcherOptions } from './open-dispatcher.ts';
import { parseList } from './parse-list.ts';
import { plainStatus } from './plain-status.ts';
import { sendRequest, type StreamedResponse } from './send-request.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** The address of an API server and the client's credentials. */
export interface HttpsOptions extends DispatcherOptions {
  /** The bearer token, or a function that returns the current one. */
  token?: string | (() => Promise<string>) | undefined;
  impersonate?: Impersonation | undefined;
}

/** A transport with open connections; close it to release them. */
export interface HttpsTransport extends Transport {
  close(): Promise<void>;
}

/** A transport over HTTPS with a connection pool; each watch has its own connection. */
export function httpsTransport(options: HttpsOptions): HttpsTransport {
  let dispatcher: Promise<Dispatcher> | undefined;
  const { origin, pathname } = new URL(options.server);
  // An API server behind a gateway may have a path.
  const prefix = pathname.replace(/\/$/, '');
  const impersonation = options.impersonate && impersonationHeaders(options.impersonate);

  async function authorization(): Promise<{ authorization?: string }> {
    const { token } = options;
    if (token === undefined) return {};
    return { authorization: `Bearer ${typeof token === 'string' ? token : await token()}` };
  }

  async function dispatch(request: ApiRequest, bodyTimeout: number): Promise<StreamedResponse> {
    try {
      dispatcher ??= openDispatcher(options);
      const sent = {
        method: request.method,
        origin,
        path: `${prefix}${pathOf(request)}`,
        headers: {
          accept: 'application/json',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...(await authorization()),
          ...headersOf(request.headers),
          ...headersOf(impersonation),
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        headersTimeout: 60_000,
        bodyTimeout,
      };
      return await sendRequest(await dispatcher, sent, request);
    } catch (error) {
      throw request.signal?.aborted === true ? error : unreachable(request, options, error);
    }
  }

  return {
    async request(request) {
      const response = await dispatch(request, 60_000);
      const warnings = warningsOf(response.headers['warning']);
      const body = await readBody(response, request, options);
      const headers = wantedHeaders(response, request);
      return { status: response.status, body, ...(warnings.length > 0 && { warnings }), ...(headers && { headers }) };
    },

    async stream(request) {
      const response = await dispatch(request, 0);
      if (response.status < 400) return jsonLines(untilConnectionEnds(response.bytes, request.signal));
      const status = (await readBody(response, request, options)) as Status;
      throw new ApiError(status);
    },

    async close() {
      await (await dispatcher)?.destroy();
    },
  };
}

/** The headers in undici's form. */
function headersOf(headers: ApiRequest['headers'] = {}): Record<string, string | string[]> {
  return headers as Record<string, string | string[]>;
}

function pathOf({ path, query = {} }: ApiRequest): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Treats a broken watch as ended: its reader resumes it. Only an abort is thrown. */
async function* untilConnectionEnds(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    signal?.throwIfAborted();
  }
}

async function readBody(
  { status, headers, bytes }: StreamedResponse,
  request: ApiRequest,
  options: HttpsOptions,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  try {
    // An error may have a continue token, too, which does not continue this list.
    for await (const chunk of bytes) if (chunks.push(chunk) === 1 && status < 400) reportContinue(chunk, request);
  } catch (error) {
    throw request.signal?.aborted === true ? error : unreachable(request, options, error);
  }
  const text = Buffer.concat(chunks).toString();
  const isJson = String(headers['content-type']).includes('json');
  if (status >= 400) {
    const parsedBody: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    // A proxy may respond with its own JSON.
    if (isObject(parsedBody) && parsedBody['kind'] === 'Status') return parsedBody;
    return plainStatus(status, text.trim(), Number(headers['retry-after']));
  }
  if (!isJson) return text;
  return request.fieldManagers === undefined ? JSON.parse(text) : parseList(text, request.fieldManagers);
}

/** Reports the continue token when it is in the first bytes: list metadata usually precedes the items. */
function reportContinue(start: Uint8Array, { onContinue }: ApiRequest): void {
  if (onContinue === undefined) return;
  const [, token] = /^\{[^[]*"continue":"([^"]+)"/.exec(Buffer.from(start).toString('latin1')) ?? [];
  if (token !== undefined) onContinue(token);
}

function wantedHeaders(
  { headers }: StreamedResponse,
  { wantedHeaders: names }: ApiRequest,
): Record<string, string> | undefined {
  if (names === undefined) return undefined;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)] satisfies [string, string]];
    }),
  );
}

function warningsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return [...text.matchAll(/299 \S+ "((?:\\.|[^"\\])*)"/g)].map(([, warning = '']) =>
    warning.replaceAll(/\\(.)/g, '$1'),
  );
}

function unreachable({ method, path }: ApiRequest, options: HttpsOptions, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `${method} ${path}: the API server at ${placeOf(options)} did not answer (${why}); check that it is running and that the certificates match`,
    { cause },
  );
}

function placeOf({ server, socketPath, proxyUrl }: HttpsOptions): string {
  if (socketPath !== undefined) return `${server} on ${socketPath}`;
  // The origin omits user and password.
  return proxyUrl === undefined ? server : `${server} through the proxy ${new URL(proxyUrl).origin}`;
}
