// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Attempt } from './attempt.ts';
import type { HttpRequest, RequestBody } from './http-client.ts';

// Imported as a module, it would load Node's fetch as well: a sixth of an operator's start.
const { request: startRequest } = process.getBuiltinModule('node:http');

/** Sends a request on a connection of its own and resolves with the head of the response. */
export function exchange(
  connection: Duplex,
  url: URL,
  request: HttpRequest,
  attempt: Attempt,
): Promise<IncomingMessage> {
  attempt.phase = 'headers';
  return new Promise((resolve, reject) => {
    const answered = new AbortController();
    const failed = (error: unknown) => {
      // A server may respond before it has read the whole body.
      if (answered.signal.aborted) return;
      reject(attempt.errorOf(error, { kind: 'not-sendable' }));
      connection.destroy();
    };
    try {
      const sent = startRequest({
        ...optionsOf(request, url),
        createConnection: () => connection,
        signal: attempt.signal,
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        answered.abort();
        resolve(response);
      });
      upload(sent, request.body, answered.signal, attempt).catch(failed);
    } catch (error) {
      failed(error);
    }
  });
}

function optionsOf({ method, headers = {}, body }: HttpRequest, url: URL): RequestOptions {
  const named = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.reveal(),
  ]);
  const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined;
  return {
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...(length !== undefined && { 'content-length': length }),
      ...(Object.fromEntries(named) as Record<string, string>),
      host: url.host,
    },
  };
}

/** Sends the body with backpressure, until a response arrives. */
async function upload(
  sent: ClientRequest,
  body: RequestBody | undefined,
  answered: AbortSignal,
  attempt: Attempt,
): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    sent.end(body);
    return;
  }
  const { stream, maxBytes } = body;
  const signal = AbortSignal.any([answered, attempt.signal]);
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw attempt.fail({ kind: 'body-too-large', body: 'request', maxBytes });
    if (answered.aborted) return;
    if (!sent.write(chunk)) await once(sent, 'drain', { signal });
  }
  sent.end();
}
